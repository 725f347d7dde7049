import { stepWords, type PageStep, type PageUse } from "@treadle/protocol/checks";
import { expectStep } from "./steps/expectation.ts";
import type { Person } from "./steps/person.ts";
import { WAIT_MS } from "./steps/take-step.ts";
import { until } from "./wait-for-rest.ts";
import { isThere } from "./watch-expectations.ts";

/** Milliseconds between two looks for what is expected, while the page comes to rest. */
const AGAIN_MS = 50;
/** Milliseconds that something which was there is given to be there again, once a page that was loaded anew rests. */
const STAYS_MS = 1_500;

const isSame = (one: PageStep, other: PageStep) => stepWords(one) === stepWords(other);

/** Whether a step loads the page anew. */
export const loadsAnew = ({ do: act }: PageStep) => act === "reload" || act === "open";

/**
 * Waits until the page rests or shows what is expected, whichever is first.
 * @returns whether it was shown before the page rested
 */
export async function holdsBeforeRest(person: Person, expected: PageStep): Promise<boolean> {
  let rests = false;
  const resting = person.settled().finally(() => (rests = true));
  // Where nobody waits for it any more, it may still fail.
  resting.catch(() => {});
  for (;;) {
    const holds = await isThere(person, expected);
    if (rests) break;
    if (holds) return true;
    await Promise.race([resting, person.page.waitForTimeout(AGAIN_MS)]);
  }
  await resting;
  return false;
}

/**
 * Loads the page anew and looks for what was there before, among the expectations that are to stay.
 * @returns those that are there again, and those that are not; neither where the page does not come to rest
 */
export async function loadAnew(
  person: Person,
  { steps, stays, signal }: { steps: readonly PageStep[]; stays: readonly number[]; signal: AbortSignal }, // prettier-ignore
): Promise<Pick<PageUse, "stayed" | "gone">> {
  const stayed: number[] = [];
  const gone: number[] = [];
  try {
    const there: number[] = [];
    for (const index of stays) {
      const step = steps[index]!;
      if (step.as === undefined && (await isThere(person, step))) there.push(index);
    }
    if (there.length === 0) return {};
    const isLoadedFrom = (from: number, to: number) =>
      steps.slice(from + 1, to).some((step) => loadsAnew(step) && step.as === undefined);
    // Loaded anew since, or what the same words expected before that, too.
    const wasLoaded = (index: number) =>
      isLoadedFrom(index, steps.length) ||
      there.some((other) => isLoadedFrom(other, index) && isSame(steps[other]!, steps[index]!));
    if (!there.every(wasLoaded)) {
      await until(person.page.reload({ waitUntil: "load", timeout: WAIT_MS }), signal);
      await until(person.settled(), signal);
    }
    for (const index of there) {
      const failure = wasLoaded(index)
        ? undefined
        : await until(expectStep(person, steps[index]!, STAYS_MS), signal);
      (failure === undefined ? stayed : gone).push(index);
    }
    return { stayed, gone };
  } catch {
    return {};
  }
}

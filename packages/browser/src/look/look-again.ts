import { stepWords, type PageStep, type PageUse } from "@treadle/protocol/checks";
import { expectStep } from "./steps/expectation.ts";
import type { Person } from "./steps/person.ts";
import { WAIT_MS } from "./steps/take-step.ts";
import { until } from "./wait-for-rest.ts";
import { isThere } from "./watch-expectations.ts";

/** Milliseconds between two checks of an expectation, while the page comes to rest. */
const AGAIN_MS = 50;
/** Milliseconds within which content must reappear once the reloaded page is idle. */
const STAYS_MS = 1_500;

const isSame = (one: PageStep, other: PageStep) => stepWords(one) === stepWords(other);

/** Whether a step reloads the page. */
export const loadsAnew = ({ do: act }: PageStep) => act === "reload" || act === "open";

/**
 * Waits until the page is idle or the expectation holds, whichever is first.
 * @returns whether it held before the page was idle
 */
export async function holdsBeforeRest(person: Person, expected: PageStep): Promise<boolean> {
  let rests = false;
  const resting = person.settled().finally(() => (rests = true));
  // The promise may reject when nobody waits for it any more.
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
 * Reloads the page and repeats the expectations that are to stay.
 * @returns those that hold and those that do not; neither if the page does not come to rest
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
    // Whether the page was reloaded since, including for earlier expectations with the same words.
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

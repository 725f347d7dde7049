import type { CheckReport, CheckStep, ProvesNothing } from "@treadle/protocol";
import {
  beginningOf,
  freshValue,
  isExpectation,
  isSetting,
  withFresh,
  type Check,
} from "@treadle/protocol/checks";
import type { Browser } from "../ports/browser.ts";
import { uncaughtOf } from "../preview/judge-console.ts";
import { clipLine } from "../text/clip.ts";
import { wantedWords } from "./wanted-hosts.ts";

/** What came of one try of a check. `picture`: of the page at its end, where one was asked for. */
export type CheckTry = Pick<CheckReport, "state" | "steps" | "provesNothing"> & {
  picture?: Uint8Array | undefined;
};

/** What uses the pages of one place that the app runs in, and the port that answers there. */
export interface UsablePages {
  use: NonNullable<Browser["use"]>;
  port: number;
}

/**
 * Runs the steps of a check once, in a browser context of its own. Rejects with the signal's reason only.
 * @param open gives the place to run it in; where it rejects, the check stays untried
 */
export async function tryCheck(
  open: () => Promise<UsablePages>,
  check: Check,
  { signal, ...how }: { signal: AbortSignal; picture?: boolean; expectMs?: number },
): Promise<CheckTry> {
  try {
    const { use, port } = await open();
    const steps = withFresh(check.steps, freshValue());
    // A check that opens a page begins there, instead of at the first page.
    const { path, rest } = beginningOf(steps);
    const begins = rest.length < steps.length;
    const used = await use({ path, port, steps: rest, signal, ...how });
    const { steps: taken, report, picture } = used;
    const opened: CheckStep[] = begins ? [{ ok: true, said: `open ${path}` }] : [];
    const all = [...opened, ...taken];
    // A page may throw and go on looking as expected; where it does not, this is the cause.
    const thrown = uncaughtOf(report) ?? report.overlay;
    if (thrown !== undefined)
      all.push({ ok: false, said: `the page threw ${clipLine(thrown, 200)}` });
    if (all.length === steps.length && all.every(({ ok }) => ok)) {
      const provesNothing = whyNothing(rest, taken);
      return { state: "held", steps: all, ...(provesNothing && { provesNothing }) };
    }
    if (all.every(({ ok }) => ok)) all.push({ ok: false, said: `${path} could not be opened` });
    // What is expected may be what a host outside would have brought.
    const wanted = (report.wanted ?? []).filter((one) => one.for !== "looks");
    if (wanted.length > 0) {
      all.push({ ok: false, said: `the page ${wantedWords(wanted)}` });
      return { state: "untried", steps: all };
    }
    return { state: "failed", steps: all, picture };
  } catch (error) {
    signal.throwIfAborted();
    // The browser broke, not the app: nothing was seen.
    const said = `it could not be run: ${error instanceof Error ? error.message : String(error)}`;
    return { state: "untried", steps: [{ ok: false, said }] };
  }
}

/**
 * Why a check that passed proves nothing. One that only opens a page and reads it is not judged here: whether that proves
 * anything is seen on the revision before.
 */
function whyNothing(steps: Check["steps"], taken: readonly CheckStep[]): ProvesNothing | undefined {
  const expectations = steps.flatMap((step, index) =>
    isExpectation(step) ? [{ index, already: taken[index]?.alreadyHeld === true }] : [],
  );
  if (expectations.length === 0) return "no-expectation";
  const firstAction = steps.findIndex((step) => !isExpectation(step) && !isSetting(step));
  if (firstAction === -1) return undefined;
  const after = expectations.filter(({ index }) => index > firstAction);
  return after.every(({ already }) => already) ? "already-held" : undefined;
}

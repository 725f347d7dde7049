import type { CheckReport, CheckStep, FailedStep, ProvesNothing } from "@treadle/protocol";
import {
  beginningOf,
  freshValue,
  isExpectation,
  isSetting,
  withFresh,
} from "@treadle/protocol/checks";
import { headOf, plainOutput, tailOf } from "@treadle/protocol/safe-text";
import type { Workspace } from "@treadle/workspace";
import type { Check } from "../checks/parse-checks.ts";
import type { Browser, PageUse, PageUseRequest } from "../ports/browser.ts";
import { uncaughtOf } from "../preview/judge-console.ts";
import { clipLine } from "../text/clip.ts";
import { wantedWords } from "./wanted-hosts.ts";

/** Characters of the outline of a page that a step failed on, and of what the server printed meanwhile. */
const OUTLINE_CHARS = 4_000;
const PRINTED_CHARS = 2_000;
const LINE_CHARS = 200;

/** What came of one try of a check. `picture`: of the page at its end, where it failed and one was asked for. */
export type CheckTry = Pick<CheckReport, "state" | "steps" | "provesNothing" | "failedStep"> & {
  picture?: Uint8Array | undefined;
  /** Characters that are boxes in it. */
  undrawn?: readonly string[] | undefined;
  /** What the page showed; absent where it was not used. Indices in it are those of the check's steps. */
  used?:
    | Pick<
        PageUse,
        | "outline"
        | "outlineBefore"
        | "keepsOther"
        | "address"
        | "stayed"
        | "gone"
        | "nowhere"
        | "changed"
      >
    | undefined;
};

/** What uses the pages of one place that the app runs in, and the port that answers there. */
export interface UsablePages {
  use: NonNullable<Browser["use"]>;
  port: number;
  /** Where its server runs; absent: what that prints is not of interest. */
  workspace?: Pick<Workspace, "listen">;
}

/**
 * Runs the steps of a check once, in a browser context of its own. Rejects with the signal's reason only.
 * @param open gives the place to run it in; where it rejects, the check stays untried
 * @param how.stays indices of the check's steps
 */
export async function tryCheck(
  open: () => Promise<UsablePages>,
  check: Check,
  { signal, stays = [], ...how }: { signal: AbortSignal } & Omit<PageUseRequest, "steps">,
): Promise<CheckTry> {
  let printed = "";
  let stop: (() => void) | undefined;
  try {
    const { use, port, workspace } = await open();
    stop = workspace?.listen((notice) => {
      if (notice.type === "server-output")
        printed = (printed + notice.text).slice(-PRINTED_CHARS * 2);
    });
    const steps = withFresh(check.steps, freshValue());
    // A check that opens a page begins there, instead of at the first page.
    const { path, rest } = beginningOf(steps);
    const begins = rest.length < steps.length;
    const skipped = begins ? 1 : 0;
    const page = await use({
      path,
      port,
      steps: rest,
      signal,
      ...how,
      ...(stays.length > 0 && { stays: stays.map((index) => index - skipped) }),
    });
    const { steps: taken, report, picture, undrawn } = page;
    const used = {
      outline: page.outline,
      outlineBefore: page.outlineBefore,
      keepsOther: page.keepsOther,
      changed: page.changed,
      address: page.address,
      stayed: page.stayed?.map((index) => index + skipped),
      gone: page.gone?.map((index) => index + skipped),
      nowhere: page.nowhere?.map((one) => ({ ...one, step: one.step + skipped })),
    };
    const opened: CheckStep[] = begins ? [{ ok: true, said: `open ${path}` }] : [];
    const all = [...opened, ...taken];
    // A page may throw and go on looking as expected; where it does not, this is the cause.
    const thrown = uncaughtOf(report) ?? report.overlay;
    if (thrown !== undefined)
      all.push({ ok: false, said: `the page threw ${clipLine(thrown, 200)}` });
    if (all.length === steps.length && all.every(({ ok }) => ok)) {
      const provesNothing = whyNothing(rest, taken);
      return { state: "held", steps: all, used, ...(provesNothing && { provesNothing }) };
    }
    if (all.every(({ ok }) => ok)) all.push({ ok: false, said: `${path} could not be opened` });
    // What is expected may be what a host outside would have brought.
    const wants = (report.wanted ?? []).filter((one) => one.for !== "looks");
    if (wants.length > 0) {
      all.push({ ok: false, said: `the page ${wantedWords(wants)}` });
      return { state: "untried", steps: all };
    }
    const failedStep = failedStepOf(page, path, plainOutput(printed));
    return { state: "failed", steps: all, failedStep, picture, undrawn, used };
  } catch (error) {
    signal.throwIfAborted();
    // The browser broke, not the app: nothing was seen.
    const message = `it could not be run: ${error instanceof Error ? error.message : String(error)}`;
    return { state: "untried", steps: [{ ok: false, said: message }] };
  } finally {
    stop?.();
  }
}

/** What the page and the server showed when a step did not work. */
function failedStepOf(
  { address, outline, console: lines = [] }: PageUse,
  path: string,
  printed: string,
): FailedStep {
  return {
    path: address ?? path,
    outline: headOf(outline, OUTLINE_CHARS),
    ...(lines.length > 0 && { console: lines.map((line) => clipLine(line, LINE_CHARS)) }),
    ...(printed.trim() !== "" && { printed: tailOf(printed.trim(), PRINTED_CHARS) }),
  };
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

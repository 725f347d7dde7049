import type { CheckReport, CheckStep, FailedStep, ProvesNothing } from "@treadle/protocol";
import { beginningOf, freshValue, isDemand, isSetting, withFresh } from "@treadle/protocol/checks";
import { headOf, plainOutput, tailOf } from "@treadle/protocol/safe-text";
import type { Workspace } from "@treadle/workspace";
import type { Check } from "../../checks/parse-checks.ts";
import type { Browser, PageUse, PageUseRequest } from "../../ports/browser.ts";
import { uncaughtOf } from "../../preview/judge-console.ts";
import { clipLine } from "../../text/clip.ts";
import { wantedWords } from "../wanted-hosts.ts";

/** Characters kept of the page's outline at a failed step, and of the server's output meanwhile. */
const OUTLINE_CHARS = 4_000;
const PRINTED_CHARS = 2_000;
const LINE_CHARS = 200;

/** The result of one run of a check. `picture` shows the page at the end of a failed run, if requested. */
export type CheckTry = Pick<CheckReport, "state" | "steps" | "provesNothing" | "failedStep"> & {
  picture?: Uint8Array | undefined;
  /** Characters for which the picture shows placeholder boxes. */
  undrawn?: readonly string[] | undefined;
  /** What the page showed, with the indices of the check's steps. Absent if the page was not used. */
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

/** A place in which the app runs: its browser and the port that answers. */
export interface UsablePages {
  use: NonNullable<Browser["use"]>;
  port: number;
  /** The workspace of its server. Absent if the server's output is not needed. */
  workspace?: Pick<Workspace, "listen">;
}

/**
 * Runs the steps of a check once, in a separate browser context. Rejects with the signal's reason only.
 * @param open opens the place to run it in; if it rejects, the check stays untried
 * @param how.stays indices of expectations to repeat after a reload, as in `PageUseRequest`
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
      stays: stays.length > 0 ? stays.map((index) => index - skipped) : undefined,
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
    // A page may throw and still look as expected. If it does not, the error is the cause.
    const thrown = uncaughtOf(report) ?? report.overlay;
    if (thrown !== undefined)
      all.push({ ok: false, said: `the page threw ${clipLine(thrown, 200)}` });
    if (all.length === steps.length && all.every(({ ok }) => ok)) {
      const provesNothing = whyNothing(rest, taken, check.own);
      return { state: "held", steps: all, used, provesNothing };
    }
    if (all.every(({ ok }) => ok)) all.push({ ok: false, said: `${path} could not be opened` });
    // The expected content may have come from an unreachable host.
    const wants = (report.wanted ?? []).filter((one) => one.for !== "looks");
    if (wants.length > 0) {
      all.push({ ok: false, said: `the page ${wantedWords(wants)}` });
      return { state: "untried", steps: all };
    }
    const failedStep = failedStepOf(page, path, plainOutput(printed));
    return { state: "failed", steps: all, failedStep, picture, undrawn, used };
  } catch (error) {
    signal.throwIfAborted();
    // The browser broke, not the app, so the check stays untried.
    const message = `it could not be run: ${error instanceof Error ? error.message : String(error)}`;
    return { state: "untried", steps: [{ ok: false, said: message }] };
  } finally {
    stop?.();
  }
}

/** The page's outline and the server's output at a failed step. */
function failedStepOf(
  { address, outline, console: lines = [] }: PageUse,
  path: string,
  printed: string,
): FailedStep {
  return {
    path: address ?? path,
    outline: headOf(outline, OUTLINE_CHARS),
    console: lines.length > 0 ? lines.map((line) => clipLine(line, LINE_CHARS)) : undefined,
    printed: printed.trim() === "" ? undefined : tailOf(printed.trim(), PRINTED_CHARS),
  };
}

/**
 * Why a passed check proves nothing, or undefined. A check that only opens a page and reads it is not judged here:
 * whether it proves anything is decided on the revision before the turn.
 * @param own number of the check's own steps, which come last: the steps before each check are no actions of this one
 */
function whyNothing(
  steps: Check["steps"],
  taken: readonly CheckStep[],
  own = steps.length,
): ProvesNothing | undefined {
  const expectations = steps.flatMap((step, index) =>
    isDemand(step) ? [{ index, already: taken[index]?.alreadyHeld === true }] : [],
  );
  if (expectations.length === 0) return "no-expectation";
  const firstOwn = steps.length - own;
  const firstAction = steps.findIndex(
    (step, index) => index >= firstOwn && !isDemand(step) && !isSetting(step),
  );
  if (firstAction === -1) return undefined;
  const after = expectations.filter(({ index }) => index > firstAction);
  return after.every(({ already }) => already) ? "already-held" : undefined;
}

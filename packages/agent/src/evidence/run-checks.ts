import type { CheckReport } from "@treadle/protocol";
import { problemWords } from "@treadle/protocol/checks";
import { doesCount } from "@treadle/protocol/evidence";
import { CHECKS_FILE, type Check } from "../checks/parse-checks.ts";
import { readChecks } from "../checks/read-checks.ts";
import {
  countChecks,
  type ChecksOccasion,
  type ChecksStore,
} from "../checks/which-checks-count.ts";
import type { CopiedApp } from "./copied-app.ts";
import type { Observation } from "./observation.ts";
import { passedBefore } from "./passed-before.ts";
import type { RevisionBefore } from "./revision-before.ts";
import type { Served } from "./serve.ts";
import type { CodeRecord, CodeSpan } from "./what-ran.ts";
import { tryCheck, type UsablePages } from "./try-check.ts";

/**
 * A check that failed is tried once more, so long after it, before it counts. In milliseconds; not waited for where it is
 * tried in another copy, whose server has just been started.
 */
const AGAIN_MS = 400;
/** So many are tried once more; where none of them held then, it is no chance, and the others are not waited for twice. */
const AGAIN = 2;
/** So many failures are enough to go on with: each takes seconds, and the others are run when these hold. */
const FAILURES = 5;

/**
 * Runs the project's own acceptance checks, one after the other, each in a browser context of its own: what one leaves
 * in the browser is not there for the next. What cannot be read of them fails as one, as nobody would miss it otherwise.
 * One that counted and was taken out or changed by who is checked by it is run as it stood.
 */
export async function observeChecks(
  served: Served,
  observation: Observation,
  look: ChecksOccasion,
  {
    store,
    app,
    before,
    code,
  }: {
    store?: ChecksStore | undefined;
    /** Copies that the checks are run in; absent: they are run in the app that the person uses. */
    app?: CopiedApp | undefined;
    /** The revision before the turn; absent: there is none. */
    before?: Omit<RevisionBefore, "signal"> | undefined;
    /** Takes note of what the checks run of the turn's code. */
    code?: CodeRecord | undefined;
  } = {},
): Promise<void> {
  const { workspace, browser, keepPicture, clock, signal, evidence } = observation;
  const { page, console } = evidence.parts;
  if (served.kind === "none") return;
  // A page that throws as it loads is broken already: each step that it no longer has would be waited for.
  if (page.state === "failed" || page.state === "untried" || console.state === "failed") return;
  const view = served.kind === "page" ? served.views[0] : served.view;
  const { version, ...file } = await readChecks(workspace);
  const counting = countChecks(file, store?.read(), look);
  store?.keep(counting.counted, version);
  if (counting.byHand && !look.asked) return;
  const checks = counting.list;
  const newNames = new Set(
    counting.counted.checks.filter(({ run }) => run !== undefined && run === look.run).map(nameOf),
  );
  const reports: CheckReport[] = checks.map(({ check, was, rewritten }) => ({
    name: check.name,
    state: "untried",
    steps: [],
    was,
    rewritten,
    ...(newNames.has(check.name) && { isNew: true }),
  }));
  const tell = () => observation.checks(reports);
  if (file.problems.length > 0)
    reports.push({
      name: CHECKS_FILE,
      state: "failed",
      steps: file.problems.map((problem) => ({ ok: false, said: problemWords(problem) })),
    });
  if (reports.length === 0) return;
  if (!browser?.use) {
    // What could not be run has not passed.
    for (const report of reports)
      if (report.state === "untried")
        report.steps = [{ ok: false, said: "there is no browser here to run it in" }];
    tell();
    return;
  }
  const { use } = browser;
  /** Each check meets the data as the person has it, or, without copies, what others left behind. */
  const openPages = (isRetry: boolean, span?: CodeSpan) => async (): Promise<UsablePages> => {
    const copy = await app?.fresh(isRetry);
    // A server that listens wherever there is room has another port in each copy.
    const ports = copy?.workspace.server?.ports ?? [];
    const port = ports.includes(view.port) ? view.port : (ports[0] ?? view.port);
    const useThere = copy?.browser.use ?? use;
    if (!code) return { use: useThere, port };
    return { use: (request) => useThere({ ...request, code: code.watch(span) }), port };
  };
  let failures = 0;
  for (const [index, { check }] of checks.entries()) {
    const report = reports[index]!;
    if (failures === FAILURES) {
      report.steps = [{ ok: false, said: `not run: ${FAILURES} others failed before` }];
      continue;
    }
    report.state = "going";
    tell();
    const since = clock.now();
    const how = { signal };
    const span = code?.span();
    let { picture: bytes, ...result } = await tryCheck(openPages(false, span), check, how);
    signal.throwIfAborted();
    if (result.state === "failed" && failures < AGAIN) {
      const failedAt = result.steps.at(-1)?.said;
      if (!app) await clock.sleep(AGAIN_MS, signal);
      const wanted = keepPicture !== undefined && !reports.some(({ picture }) => picture);
      const again = { ...how, picture: wanted };
      ({ picture: bytes, ...result } = await tryCheck(openPages(true, span), check, again));
      signal.throwIfAborted();
      if (result.state === "held" && failedAt !== undefined) report.firstTry = failedAt;
    }
    if (report.isNew && result.state === "held" && span?.ranOfTurn() === false)
      result.provesNothing ??= "other-code";
    if (result.state === "failed") failures++;
    Object.assign(report, result, { ms: Math.max(0, clock.now() - since) });
    const picture = bytes && result.state === "failed" ? await keepPicture?.(bytes) : undefined;
    if (picture) report.picture = picture;
  }
  if (failures === 0 && app && before) {
    const counts = (_: unknown, index: number) =>
      reports[index]!.isNew === true && doesCount(reports[index]!);
    const written = checks.filter(counts).map(({ check }) => check);
    const passed =
      written.length > 0
        ? await passedBefore(written, app.first, { ...before, signal })
        : new Set<Check>();
    for (const [index, { check }] of checks.entries())
      if (passed.has(check)) reports[index]!.provesNothing = "passed-before";
  }
  tell();
}

const nameOf = ({ name }: Check) => name;

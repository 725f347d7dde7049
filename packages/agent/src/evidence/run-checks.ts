import type { CheckReport } from "@treadle/protocol";
import { CHECKS_FILE, type Check } from "../checks/parse-checks.ts";
import { readChecks } from "../checks/read-checks.ts";
import {
  countChecks,
  type ChecksOccasion,
  type ChecksStore,
} from "../checks/which-checks-count.ts";
import { clipLine } from "../text/clip.ts";
import { uncaughtOf } from "../preview/judge-console.ts";
import type { Browser } from "../ports/browser.ts";
import type { CopiedApp } from "./copied-app.ts";
import type { Observation } from "./observation.ts";
import { wantedWords } from "./wanted-hosts.ts";
import type { Served } from "./serve.ts";

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
  { store, app }: { store?: ChecksStore | undefined; app?: CopiedApp | undefined } = {},
): Promise<void> {
  const { workspace, browser, keepPicture, clock, signal, evidence } = observation;
  const { page, console } = evidence.parts;
  if (served.kind === "none") return;
  // A page that throws as it loads is broken already: each step that it no longer has would be waited for.
  if (page.state === "failed" || page.state === "untried" || console.state === "failed") return;
  const view = served.kind === "page" ? served.views[0] : served.view;
  const { version, ...file } = await readChecks(workspace);
  /** Each check meets the data as the person has it, or, without copies, what others left behind. */
  const usePage = async (isRetry: boolean) =>
    app ? (await app.fresh(isRetry)).browser.use : browser?.use;
  const counting = countChecks(file, store?.read(), look);
  store?.keep(counting.counted, version);
  if (counting.byHand && !look.asked) return;
  const checks = counting.list;
  const reports: CheckReport[] = checks.map(({ check, was, rewritten }) => ({
    name: check.name,
    state: "untried",
    steps: [],
    was,
    rewritten,
  }));
  const tell = () => observation.checks(reports);
  if (file.problems.length > 0)
    reports.push({
      name: CHECKS_FILE,
      state: "failed",
      steps: file.problems.map((said) => ({ ok: false, said })),
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
    let { bytes, ...result } = await run(() => usePage(false), view.port, check, signal, false);
    signal.throwIfAborted();
    if (result.state === "failed" && failures < AGAIN) {
      if (!app) await clock.sleep(AGAIN_MS, signal);
      const wanted = keepPicture !== undefined && !reports.some(({ picture }) => picture);
      ({ bytes, ...result } = await run(() => usePage(true), view.port, check, signal, wanted));
      signal.throwIfAborted();
    }
    if (result.state === "failed") failures++;
    Object.assign(report, result, { ms: Math.max(0, clock.now() - since) });
    const picture = bytes && result.state === "failed" ? await keepPicture?.(bytes) : undefined;
    if (picture) report.picture = picture;
  }
  tell();
}

async function run(
  open: () => Promise<Browser["use"]>,
  port: number,
  { steps }: Check,
  signal: AbortSignal,
  picture: boolean,
): Promise<Pick<CheckReport, "state" | "steps"> & { bytes?: Uint8Array | undefined }> {
  try {
    const use = await open();
    if (!use) throw new Error("there is no browser here");
    // A check that opens a page begins there, instead of at the first page.
    const [first, ...others] = steps;
    const begins = first?.do === "open";
    const path = begins ? pathOf(first.text) : "/";
    const rest = begins ? others : steps;
    const used = await use({ path, port, steps: rest, signal, picture });
    const { steps: taken, report, picture: bytes } = used;
    const opened = begins ? [{ ok: true, said: `open ${path}` }] : [];
    const all = [...opened, ...taken];
    // A page may throw and go on looking as expected; where it does not, this is the cause.
    const thrown = uncaughtOf(report) ?? report.overlay;
    if (thrown !== undefined)
      all.push({ ok: false, said: `the page threw ${clipLine(thrown, 200)}` });
    if (all.length === steps.length && all.every(({ ok }) => ok))
      return { state: "held", steps: all };
    if (all.every(({ ok }) => ok)) all.push({ ok: false, said: `${path} could not be opened` });
    // What is expected may be what a host outside would have brought.
    const wanted = (report.wanted ?? []).filter((one) => one.for !== "looks");
    if (wanted.length > 0) {
      all.push({ ok: false, said: `the page ${wantedWords(wanted)}` });
      return { state: "untried", steps: all };
    }
    return { state: "failed", steps: all, bytes };
  } catch (error) {
    signal.throwIfAborted();
    // The browser broke, not the app: nothing was seen.
    const said = `it could not be run: ${error instanceof Error ? error.message : String(error)}`;
    return { state: "untried", steps: [{ ok: false, said }] };
  }
}

const pathOf = (text = "/") => (text.startsWith("/") ? text : `/${text}`);

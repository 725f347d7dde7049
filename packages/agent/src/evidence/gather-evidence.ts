import type { Evidence, ProjectPath } from "@treadle/protocol";
import { EVIDENCE_PARTS, isSound, judge, untriedEvidence } from "@treadle/protocol/evidence";
import type { FileDifference, LeftOut, Workspace } from "@treadle/workspace";
import type { ChecksStore } from "../checks/which-checks-count.ts";
import { CHECKS_FILE } from "../checks/parse-checks.ts";
import { clipLine } from "../text/clip.ts";
import { watchRefused } from "../project/refused-hosts.ts";
import type { Clock } from "../ports/clock.ts";
import type { Browser } from "../ports/browser.ts";
import type { DataCopies, DataCopy } from "../ports/data-copies.ts";
import type { PicturePort } from "../ports/pictures.ts";
import { observeBuild } from "./build/build.ts";
import { observeTests } from "./build/own-tests.ts";
import { openCopiedApp, type CopiedApp } from "./looks/copied-app.ts";
import { observeRoutes } from "./serve/dead-routes.ts";
import { observeChecks, type OnlyCheck } from "./checks/run-checks.ts";
import { observeFromClean } from "./build/from-clean.ts";
import { observeControls } from "./looks/press-controls.ts";
import { observeInstall } from "./build/install.ts";
import { observePage } from "./looks/look-at-pages.ts";
import { createObservation, type Observation } from "./observation.ts";
import { pictureBefore } from "./looks/picture-before.ts";
import { copiesWithoutMade, madeSubject } from "./build/without-made.ts";
import { readFacts } from "../project/project-facts.ts";
import { observePostgres } from "./looks/observe-postgres.ts";
import { observeLasting } from "./serve/still-standing.ts";
import { observeAnswers, observeStart, type Served } from "./serve/serve.ts";
import { keepData } from "./looks/kept-data.ts";
import { openCodeRecord, recorded } from "./changed/turn-record.ts";
import { watchChanges, type ChangeWatch } from "./changed/watch-changes.ts";
import { watchServer } from "./serve/watch-server.ts";

/** Attempts before files that keep changing are given up. */
const LOOKS = 3;
/** Maximum number of the app's data files that are named. */
const DATA_NAMED = 20;
/** Maximum number of files left out of the revision that are named, and characters of each path. */
const LEFT_OUT_NAMED = 5;
const PATH_CHARS = 120;
/**
 * Milliseconds to wait after a change: dev servers debounce their watchers (50 to 100 ms), so an
 * earlier look may see the old files.
 */
const SETTLE_MS = 200;

export interface EvidenceRequest {
  workspace: Workspace;
  /** Absent if no page can be opened: page and console then stay untried. */
  browser?: Browser;
  /** Absent: the person's own app is observed, on their own data. */
  copies?: DataCopies | undefined;
  clock: Clock;
  /**
   * The checkpoint before the turn: checks that pass there as well prove nothing about the turn. Absent if there is
   * none.
   */
  before?: string | undefined;
  /**
   * Whether the checks of the turn are to show what was made before it: then they may pass at `before`
   * as well, and need not run what the turn wrote.
   */
  provesEarlier?: boolean;
  /**
   * The differences from the moment since which new code must have run, if that is another than
   * `before`.
   */
  since?: readonly FileDifference[];
  /**
   * Whether the request can partly be judged by eye only, so that the first page is pictured as it
   * was before the turn, too.
   */
  byEye?: boolean;
  /** The previous evidence. Returned unchanged if it verified the same revision. */
  previous?: Evidence;
  /**
   * The revision from which the running server is known to have been started; for the same one it
   * is not restarted.
   */
  served?: string;
  /** Paths that the run changed; the pages that they affect are observed as well. */
  touched?: ReadonlySet<ProjectPath>;
  /**
   * Texts of files that a template wrote in the run; unchanged functions in them are not the turn's
   * work.
   */
  given?: ReadonlyMap<ProjectPath, string>;
  /** Whether a person requested this look, so that checks for manual runs are included. */
  asked?: boolean;
  /** The only check that runs; the others keep their results. Absent: all of them run. */
  only?: OnlyCheck | undefined;
  /** The checks that count, even if their file has changed. Absent: those in the file. */
  checks?: ChecksStore;
  /** The run that observes; absent outside of a run. */
  run?: string;
  /** The checks that failed in this run, if the project was verified before it: `ChecksOccasion.failed`. */
  failedChecks?: ReadonlySet<string>;
  /** Names of the checks by which the turn proves what was asked for. */
  namedChecks?: readonly string[];
  /**
   * Names of checks that are known to have failed before, beside those of `previous`; they run
   * first.
   */
  failedBefore?: Iterable<string>;
  /** Saves pictures of the pages. Absent: none are taken. */
  keepPicture?: PicturePort["save"];
  /** Called with a copy after every change of a part. */
  onEvidence(evidence: Evidence): void;
  signal: AbortSignal;
}

/**
 * Observes the current project: install, serve, then the page with the project's own checks, and
 * the build in parallel. The result describes one revision, which was unchanged from the end of the
 * first command to the last look; if files changed meanwhile, it observes again. Rejects with the
 * signal's reason when aborted, and with `WorkspaceError` if the workspace no longer exists.
 */
export async function gatherEvidence(request: EvidenceRequest): Promise<Evidence> {
  const changes = watchChanges(request.workspace);
  const { clock, previous, onEvidence } = request;
  const since = clock.now();
  try {
    const evidence = await lookUntilSettled(request, changes);
    if (evidence === previous) return evidence;
    evidence.at = clock.now();
    evidence.ms = Math.max(0, evidence.at - since);
    onEvidence(structuredClone(evidence));
    return evidence;
  } finally {
    changes.close();
  }
}

async function lookUntilSettled(request: EvidenceRequest, changes: ChangeWatch): Promise<Evidence> {
  const { workspace, previous, signal, onEvidence } = request;
  let known = previous;
  let moved: Evidence | undefined;
  /** The revision from which an earlier attempt in this loop started the server. */
  let started: string | undefined;
  for (let look = 1; look <= LOOKS; look++) {
    signal.throwIfAborted();
    changes.again();
    const before = await workspace.revision();
    if (known?.revision === before && isSound(judge(known).verdict)) return known;
    const fresh = known?.revision === before || started === before || request.served === before;
    const { evidence, openedLate } = await watchRefused(
      workspace,
      (refused, unreached, refusedPackages) =>
        lookOnce(request, before, fresh, { refused, unreached, refusedPackages }),
    );
    const after = await workspace.revision();
    const isCurrent = evidence.revision === after;
    if (isCurrent && !(openedLate && look < LOOKS)) return withData(evidence, request);
    // A port that was opened during the look is included.
    started = isCurrent ? after : undefined;
    known = undefined;
    moved = untriedEvidence(after);
  }
  const unsettled = moved ?? untriedEvidence(await workspace.revision());
  for (const part of EVIDENCE_PARTS)
    unsettled.parts[part] = { state: "untried", summary: changes.words() };
  onEvidence(structuredClone(unsettled));
  return unsettled;
}

/** Adds to the evidence which files it does not cover: those that only the running app writes, and those beyond a limit. */
function withData(evidence: Evidence, { workspace, onEvidence }: EvidenceRequest): Evidence {
  const paths = workspace.dataFiles();
  const leftOut = workspace.leftOut();
  const sentences: string[] = [];
  if (paths.length > 0) {
    evidence.data = paths.slice(0, DATA_NAMED);
    const named = evidence.data.join(", ") + moreThan(DATA_NAMED, paths);
    sentences.push(`Data of the running app, no part of the revision: ${named}.`);
  }
  if (leftOut.length > 0) {
    const named = leftOut
      .slice(0, LEFT_OUT_NAMED)
      .map(({ path, why }) => `${clipLine(path, PATH_CHARS)} (${WHY_LEFT_OUT[why]})`)
      .join(", ");
    sentences.push(`Not looked at: ${named}${moreThan(LEFT_OUT_NAMED, leftOut)}.`);
  }
  if (sentences.length === 0) return evidence;
  const { serve } = evidence.parts;
  serve.detail = [serve.detail, ...sentences].filter(Boolean).join("\n");
  onEvidence(structuredClone(evidence));
  return evidence;
}

/**
 * Notes in the evidence that the observation used their own data. @param isKept whether the data is restored afterwards
 */
function sayNotCopied({ parts: { serve } }: Evidence, why: string, isKept: boolean): void {
  const message = `Looked at where you use it, and on the data that is there: no copy could be made (${clipLine(why, PATH_CHARS)}). ${isKept ? "What that changed of the data was put back." : "What that changed of the data stays changed."}`;
  serve.detail = [serve.detail, message].filter(Boolean).join("\n");
}

const moreThan = (named: number, all: readonly unknown[]): string =>
  all.length > named ? ` and ${all.length - named} more` : "";

const WHY_LEFT_OUT: Record<LeftOut["why"], string> = {
  depth: "too many folders, one inside the other",
  count: "too many files",
  size: "too large to be read; only its size, time, beginning and end are compared",
  unreadable: "it cannot be read",
};

async function lookOnce(
  request: EvidenceRequest,
  revision: string,
  fresh: boolean,
  missed: Pick<Observation, "refused" | "unreached" | "refusedPackages">,
): Promise<{ evidence: Evidence; openedLate: boolean }> {
  const { workspace, browser, keepPicture, clock, signal, onEvidence } = request;
  const evidence = untriedEvidence(revision);
  const observation = createObservation({
    workspace,
    browser,
    keepPicture,
    clock,
    signal,
    evidence,
    ...missed,
    onEvidence,
  });
  const facts = await readFacts(workspace);
  if (!(await observeInstall(facts, observation))) return { evidence, openedLate: false };
  const made = (await workspace.madeByCommands?.()) ?? [];
  const without =
    made.length > 0 && request.copies
      ? await copiesWithoutMade(facts, workspace, request.copies, signal)
      : undefined;
  // Installing writes the lock file, so the proven revision includes it.
  evidence.revision = await workspace.revision();
  await clock.sleep(SETTLE_MS, signal);
  let server = watchServer(workspace);
  let app: CopiedApp | undefined;
  /** Restores the app's data if the observation uses it directly. */
  let takeAway: (() => Promise<boolean>) | undefined;
  /** Whether files that commands wrote beside the sources influence the observation. */
  let meetsMade = made.length > 0;
  try {
    const since = clock.now();
    const command = await observeStart(facts, fresh, observation);
    let served: Served = { kind: "none" };
    let look = observation;
    const writtenSince = request.since ?? request.before;
    const code =
      writtenSince === undefined
        ? undefined
        : await openCodeRecord(workspace, writtenSince, request.given);
    if (command) {
      const open = (copies: DataCopies) =>
        openCopiedApp(copies, command, signal, {
          countsCode: code !== undefined,
          like: () => workspace.server?.ports,
        });
      let opened = browser && without && (await open(without.app(command)));
      meetsMade &&= typeof opened !== "object";
      if (typeof opened !== "object")
        opened = browser && request.copies && (await open(request.copies));
      if (typeof opened === "string") {
        const data = await keepData(workspace);
        takeAway = data && (() => data.putBack(command));
        // Processes that ran meanwhile may have changed the server's memory, which no revision records.
        if (workspace.hasRunSince?.(workspace.server?.since ?? 0))
          await workspace.start(command.command, { signal, alone: true });
      }
      app = typeof opened === "string" ? undefined : opened;
      if (app) {
        server.close();
        server = watchServer(app.first.workspace);
        look = { ...observation, ...lookIn(app.first) };
      }
      if (look.browser) look = { ...look, browser: recorded(look.browser, code) };
      const showPort = (port: number) => workspace.showPort(port);
      served = await observeAnswers(facts, command, {
        look,
        since,
        showPort,
      });
      if (typeof opened === "string") sayNotCopied(evidence, opened, takeAway !== undefined);
    }
    server.nowServes(served.ports ?? []);
    // Observing and building occupy every processor, so the person's own page is shown first.
    await browser?.personFirst?.(signal);
    signal.throwIfAborted();
    const {
      run,
      touched = new Set<ProjectPath>(),
      asked = false,
      failedChecks,
      namedChecks,
    } = request;
    const occasion = {
      run,
      by: touched.has(CHECKS_FILE) ? ("model" as const) : ("outside" as const),
      asked,
      failed: failedChecks,
      named: namedChecks,
    };
    // Neither depends on the other, and a failing build explains more than the page that it breaks.
    const looks = [
      observePage(served, look, { touched, asked, code, app }).then((lookInside) =>
        Promise.all([
          app && (run !== undefined || asked)
            ? observeRoutes(served, app.first.browser, look)
            : undefined,
          // Tests run in a turn, or if a person requests the look; beside the checks, as they take
          // as long.
          (command && served.kind === "page" && (run !== undefined || asked)
            ? observeControls(command, { app, copies: request.copies }, look, code)
            : Promise.resolve()
          ).then(lookInside),
          observeChecks(served, look, occasion, {
            store: request.checks,
            app,
            before: request.provesEarlier ? undefined : revisionBefore(request),
            code,
            provesEarlier: request.provesEarlier,
            failedLast: failedLast(request),
            only: request.only,
          }),
        ]),
      ),
      observeBuild(facts, observation, meetsMade ? undefined : without?.proving).then(() =>
        observeTests(facts, observation),
      ),
    ];
    for (const one of await Promise.allSettled(looks))
      if (one.status === "rejected") throw one.reason;
    if (isSound(judge(evidence).verdict)) {
      if (app) await code?.takeServer(app.first);
      for (const finding of code?.neverRan() ?? []) look.finding(finding);
      await showBefore(request, look, app);
      if (meetsMade) look.finding({ code: "made-by-command", subject: madeSubject(made) });
      if (command)
        await observeFromClean(facts, command, served, observation, {
          copies: request.copies,
          is: made.length === 0 ? "remembered" : meetsMade ? "due" : "done",
        });
      await observeLasting(served, () => server.gone() ?? app?.crashed(), look);
    }
    if (!isSound(judge(evidence).verdict)) {
      const printed = server.printed();
      if (printed !== "") {
        evidence.printed = printed;
        onEvidence(structuredClone(evidence));
      }
    }
    await observePostgres(look, `${evidence.parts.serve.detail ?? ""}\n${server.printed()}`);
    return { evidence, openedLate: server.openedLate() };
  } finally {
    server.close();
    await app?.close();
    // The data cannot be restored while the project is closing.
    await takeAway?.().catch(() => undefined);
  }
}

/** Adds a picture from before the turn to the first page, if the request can only be judged by eye. */
async function showBefore(request: EvidenceRequest, look: Observation, app: CopiedApp | undefined) {
  const before = revisionBefore(request);
  // The first page comes last in the evidence.
  const first = look.evidence.pages.at(-1);
  if (!request.byEye || !before || !app || !first?.picture || !look.keepPicture) return;
  const { signal, keepPicture } = look;
  const lend = () => app.lend({ isChanged: true });
  const revision = { ...before, lend, signal };
  const picture = await pictureBefore(first.path, app.first, revision, keepPicture);
  if (!picture) return;
  first.pictureBefore = picture;
  request.onEvidence(structuredClone(look.evidence));
}

const revisionBefore = ({ before, workspace }: EvidenceRequest) =>
  before === undefined ? undefined : { checkpoint: before, own: workspace };

/** The names of the checks that failed in the previous evidence. */
const failedLast = ({ previous, failedBefore = [] }: EvidenceRequest): ReadonlySet<string> =>
  new Set([
    ...failedBefore,
    ...(previous?.checks ?? []).flatMap(({ name, state }) => (state === "failed" ? [name] : [])),
  ]);

const lookIn = ({ workspace, browser }: DataCopy) => ({ workspace, browser });

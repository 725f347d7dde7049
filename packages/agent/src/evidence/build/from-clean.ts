import { tailOf } from "@treadle/protocol/safe-text";
import type { EvidencePart, Finding } from "@treadle/protocol";
import {
  EVIDENCE_PARTS,
  isSound,
  judge,
  untriedEvidence,
  summaryOf,
} from "@treadle/protocol/evidence";
import type { Exit } from "@treadle/workspace";
import { clauses, sentence } from "@treadle/protocol/sentences";
import type { DataCopies, DataCopy } from "../../ports/data-copies.ts";
import { findInnerPackages } from "../../project/inner-packages.ts";
import type { ProjectFacts } from "../../project/project-facts.ts";
import { clipLine } from "../../text/clip.ts";
import { findBuild } from "./build.ts";
import { mayBeChance } from "./install.ts";
import { cleanInstallCommands, dependencyKey, withoutFrozenLock } from "./install-from-clean.ts";
import { observePage } from "../looks/look-at-pages.ts";
import { createObservation, type Observation } from "../observation.ts";
import { startWithAllPorts } from "../../project/all-ports.ts";
import { observeAnswers, type Served } from "../serve/serve.ts";
import type { ServerCommand } from "../../project/server-command.ts";

/** Time limit for the whole proof, in milliseconds. */
const WHOLE_MS = 60_000;
const SUBJECT_CHARS = 200;
const DETAIL_CHARS = 2_000;

type Outcome =
  /** `unlocked`: the error of an install from the lock file, if an install that may change that file succeeded. */
  | { kind: "clean"; unlocked?: { what: string; detail: string } }
  /** `isLasting`: another attempt would have the same result. */
  | { kind: "untried"; why: string; isLasting?: true }
  | { kind: "unclean"; what: string; detail: string };

const CLEAN = "clean";

/**
 * Proves that the revision comes up as it would be handed over: its files in a fresh copy, its
 * dependencies installed from its lock files, built and served by its own scripts. This excludes a
 * package that package.json does not name, a compiler that a command has changed, or output of a
 * build in an ignored folder.
 * Skipped if the installed packages come from the lock file alone, or if the same set of
 * dependencies was already proven. A copy that does not come up fails the part `install`.
 * @param how.is `remembered`: reuse an earlier result; `due`: run in any case; `done`: everything
 * about this revision was observed in such copies
 */
export async function observeFromClean(
  facts: ProjectFacts,
  command: ServerCommand,
  served: Served,
  look: Observation,
  { copies, is }: { copies: DataCopies | undefined; is: "remembered" | "due" | "done" },
): Promise<void> {
  const { workspace, settle, evidence, clock } = look;
  if (!copies || served.kind === "none") return;
  const inner = await findInnerPackages(facts, workspace);
  const commands = await cleanInstallCommands(facts, inner, workspace);
  if (commands.length === 0) return;
  const key = await dependencyKey(workspace, evidence.revision);
  if (is === "done") return workspace.proofs?.set(key, CLEAN);
  const isPlain = inner.folders.length === 0 && inner.script === undefined;
  if (is === "remembered" && isPlain && (await workspace.isAsLocked?.())) return;
  const known = is === "due" ? undefined : workspace.proofs?.get(key);
  if (known === CLEAN) return;
  if (known !== undefined) return look.finding({ code: "unclean-untried", subject: known });

  const { install } = evidence.parts;
  const { detail, state, ms } = install;
  const seen = summaryOf(install);
  const since = clock.now();
  settle("install", "going", clauses(seen, sentence("trying-copy")));
  const outcome = await tryFromClean(facts, { command, commands, served }, look, copies);
  if (outcome.kind === "unclean") {
    const { what } = outcome;
    look.finding(findingOf("unclean", what, outcome.detail));
    settle("install", "failed", sentence("copy-down", { what }), {
      since,
      detail: outcome.detail,
    });
    return;
  }
  if (outcome.kind === "clean") workspace.proofs?.set(key, CLEAN);
  else {
    look.finding(findingOf("unclean-untried", outcome.why));
    if (outcome.isLasting) workspace.proofs?.set(key, outcome.why);
  }
  const unlocked = outcome.kind === "clean" ? outcome.unlocked : undefined;
  const comesUp = unlocked
    ? sentence("copy-up-unlocked", { what: unlocked.what })
    : sentence("copy-up");
  const details = [detail, unlocked?.detail].filter((one) => one !== undefined).join("\n");
  settle("install", state, outcome.kind === "clean" ? clauses(seen, comesUp) : seen, {
    detail: details === "" ? undefined : details,
    since: ms === undefined ? since : since - ms,
  });
}

const findingOf = (code: Finding["code"], subject: string, detail?: string): Finding => ({
  code,
  subject: clipLine(subject, SUBJECT_CHARS),
  detail: detail === undefined ? undefined : tailOf(detail, DETAIL_CHARS),
});

interface Tried {
  command: ServerCommand;
  /** The commands of a clean install. */
  commands: readonly string[];
  served: Served;
}

async function tryFromClean(
  facts: ProjectFacts,
  tried: Tried,
  look: Observation,
  copies: DataCopies,
): Promise<Outcome> {
  const { signal } = look;
  const bound = AbortSignal.timeout(WHOLE_MS);
  const ends = AbortSignal.any([signal, bound]);
  let copy: DataCopy | undefined;
  try {
    copy = await copies.open({ clean: true });
    if (!copy) return { kind: "untried", why: "this machine makes no copies", isLasting: true };
    return await useCopy(facts, tried, look, copy, ends);
  } catch (error) {
    signal.throwIfAborted();
    if (bound.aborted) return tooSlow();
    return { kind: "untried", why: error instanceof Error ? error.message : String(error) };
  } finally {
    await copy?.close();
  }
}

const tooSlow = (): Outcome => ({
  kind: "untried",
  why: `installing and starting it takes longer than ${WHOLE_MS / 1000} s`,
  isLasting: true,
});

async function useCopy(
  facts: ProjectFacts,
  { command, commands, served }: Tried,
  look: Observation,
  { workspace, browser }: DataCopy,
  ends: AbortSignal,
): Promise<Outcome> {
  const { evidence } = look;
  const run = async (text: string): Promise<Outcome | undefined> => {
    const exit = await workspace.run(text, { signal: ends });
    ends.throwIfAborted();
    return outcomeOf(text, exit);
  };
  let unlocked: { what: string; detail: string } | undefined;
  for (const text of commands) {
    const failed = await run(text);
    if (!failed) continue;
    const loose = failed.kind === "unclean" ? withoutFrozenLock(text) : undefined;
    if (failed.kind !== "unclean" || loose === undefined || (await run(loose))) return failed;
    unlocked = failed;
  }
  const build = await findBuild(facts, look.workspace);
  const builds = [
    command.build,
    evidence.parts.build.state === "held" && build?.own ? build.whole : undefined,
  ];
  for (const text of new Set(builds)) {
    const failed = text === undefined ? undefined : await run(text);
    if (failed) return failed;
  }

  const seen = untriedEvidence(evidence.revision);
  const copied = createObservation({
    ...look,
    workspace,
    browser,
    keepPicture: undefined,
    signal: ends,
    evidence: seen,
    onEvidence: () => {},
  });
  const how = { signal: ends, alone: true };
  const server = await startWithAllPorts(workspace, command.command, how, () => served.ports);
  ends.throwIfAborted();
  if (server.state !== "up" || server.ports.length === 0)
    return {
      kind: "unclean",
      what: `${command.command} does not start`,
      detail: server.tail ?? workspace.serverLog(),
    };
  const answered = await observeAnswers(facts, command, {
    look: copied,
    since: look.clock.now(),
    showPort: (port) => workspace.showPort(port),
  });
  if (served.kind === "page" && answered.kind === "api")
    return {
      kind: "unclean",
      what: `${command.command} serves no page`,
      detail: workspace.serverLog(),
    };
  if (answered.kind !== "none")
    await observePage(answered, copied, { touched: new Set(), asked: false });
  ends.throwIfAborted();
  seen.parts.install = { ...evidence.parts.install, state: "held" };
  seen.parts.build = { ...evidence.parts.build };
  if (isSound(judge(seen).verdict)) return { kind: "clean", unlocked };
  const bad = EVIDENCE_PARTS.find((part: EvidencePart) => seen.parts[part].state === "failed");
  if (bad === undefined) return { kind: "untried", why: judge(seen).reason };
  const { summary, detail = "" } = seen.parts[bad];
  return { kind: "unclean", what: summary, detail: `${detail}\n${workspace.serverLog()}` };
}

function outcomeOf(command: string, exit: Exit): Outcome | undefined {
  if (exit.kind === "exited" && exit.code === 0) return undefined;
  if (exit.kind === "adopted")
    return { kind: "untried", why: `${command} went on running as a server`, isLasting: true };
  if (exit.kind !== "exited")
    return { kind: "untried", why: `${command} did not end (${exit.kind})` };
  if (mayBeChance(exit) || (exit.refused ?? []).length > 0)
    return { kind: "untried", why: `${command} ended with ${exit.code}, for want of the network` };
  return { kind: "unclean", what: `${command} ended with ${exit.code}`, detail: exit.output };
}

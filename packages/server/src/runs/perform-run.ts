import { seesPictures, type Resume, type RunPorts, type RunRequest } from "@treadle/agent";
import type { ErrorCode, LogEvent } from "@treadle/protocol";
import type { QueuedMessage, StoredMessage } from "@treadle/store";
import { WorkspaceError, type Workspace } from "@treadle/workspace";
import { ApiFailure } from "../common/api-failure.ts";
import { nowAllowed } from "./now-allowed.ts";
import { keptPictures } from "../pictures/kept-pictures.ts";
import { pagePictures } from "../pictures/page-pictures.ts";
import { messagePictures } from "../pictures/message-pictures.ts";
import { approvalsOf } from "./approvals.ts";
import { limitsOf } from "./budget-limits.ts";
import { keptOutputs } from "./kept-outputs.ts";
import { messageOf } from "./message-of.ts";
import { interrupted, ServerStops } from "./server-stops.ts";
import { nameInTitle, takeName } from "./take-name.ts";
import type { UnaskedChange } from "../trust/protected-files.ts";
import type { ProjectContext } from "../project/types.ts";
import { projectFolder } from "../project/project-folder.ts";

/** Files that one event tells of. */
const SHOWN = 50;

/**
 * One run from its message to its `run-end`, which is always the last event of it and there exactly once.
 * A run that waits for the person has none yet: `waits`, and it is to be called again with `resume`. Never rejects.
 */
export async function performRun(
  context: ProjectContext,
  item: QueuedMessage,
  signal: AbortSignal,
  onEnd: () => void,
  takeSteering: () => QueuedMessage[],
  resume?: Resume,
): Promise<"ended" | "waits"> {
  const { parts, id, trust } = context;
  const startedAt = parts.clock.now();
  let started = resume !== undefined;
  let ended = false;
  let name: string | undefined;
  /** Of the first artifact: what the model calls what it makes, where it gives no name. */
  let title: string | undefined;
  /** Changed by who was not asked to, since the person was last told. */
  let unasked: UnaskedChange[] = [];
  const watch = trust.watchCommands();
  const append = (event: LogEvent) => {
    if (event.type === "run-start") started = true;
    if (event.type === "group") title ??= nameInTitle(event.title);
    watch.see(event);
    if (event.type !== "run-end") {
      context.append(event);
      if (event.type === "run-start" && unasked.length > 0)
        context.append({
          type: "obeyed-changed",
          run: item.run,
          state: "stands",
          files: unasked.slice(0, SHOWN),
        });
      return;
    }
    ended = true;
    name = event.said?.name;
    onEnd();
    context.append(signal.reason instanceof ServerStops ? interrupted(event) : event);
  };
  const fail = (code: ErrorCode, message: string) => {
    if (ended) return;
    if (!started)
      append({
        type: "run-start",
        run: item.run,
        message: item.message,
        model: item.model,
        dialect: "native",
      });
    const stopped = signal.aborted;
    append({
      type: "run-end",
      run: item.run,
      outcome: stopped ? "stopped" : "error",
      summary: stopped ? "Stopped before anything was done." : message,
      revision: context.view.revision ?? "",
      steps: 0,
      usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
      ms: parts.clock.now() - startedAt,
      ...(stopped ? {} : { error: { code, message, canContinue: true } }),
    });
  };

  try {
    const said = messageOf(item);
    const past = (await parts.store.messages.list(id)) as RunRequest["history"];
    if (!resume) await parts.store.messages.put(id, said as StoredMessage);
    const model = await parts.models.resolve(item.model);
    const folder = projectFolder(parts.dataDirectory, id);
    const kept = keptPictures(folder);
    const sees = model.seesPictures ?? seesPictures(model.id);
    const pictures = messagePictures(kept);
    const history = await pictures.shown(past);
    const [message = said] = await pictures.shown([said]);
    const workspace = await context.workspace();
    const record = await context.record();
    const looker = await parts.lookerOf(record);
    const moment = { workspace, lastRun: record.lastRun };
    const { changes, untold } = await trust.turnBegins(moment, !resume);
    // A run that waited settles its calls itself when it is ended.
    if (!resume) {
      signal.throwIfAborted();
      unasked = untold();
    }
    // A run that is only ended calls none.
    const mcp =
      resume && !resume.answer ? undefined : await parts.mcp?.toolsFor(id, workspace, signal);
    const ports: RunPorts = {
      model: { ...model, ...(sees === undefined ? {} : { seesPictures: sees }) },
      pictures: pagePictures(keptPictures(folder, true)),
      outputs: keptOutputs(folder),
      workspace,
      log: { append, settled: () => parts.store.log.settled() },
      ...(looker ? { looker } : {}),
      ...(parts.readTemplate ? { readTemplate: parts.readTemplate } : {}),
      mcp: mcp?.tools ?? [],
      mcpMissing: mcp?.missing ?? [],
      learn: (habits) => void parts.models.learn?.(model.id, habits),
      approvals: approvalsOf(context, item.approve),
      checks: trust.checks,
      todo: () => context.view.todo,
      clock: parts.clock,
      mentioned: {
        terminal: (name) => context.readTerminal(name),
        ...(parts.mcp
          ? { resource: (name, uri, until) => parts.mcp!.readResource(id, name, uri, until) }
          : {}),
        evidence: () => context.view.evidence,
      },
      save: (saved) => parts.store.messages.put(id, pictures.kept(saved) as StoredMessage),
      isAccepted: trust.isAccepted,
      personSettled: (paths) => trust.authors.settled(paths),
      wrote: (path, version, unseen) => trust.modelWrote(workspace, path, version, unseen === true),
    };
    const result = await parts.runTurn(
      {
        run: item.run,
        history,
        message,
        changes,
        personWrites: trust.authors.personWrites,
        ...(record.rulesOff ? { rulesOff: record.rulesOff } : {}),
        ...(item.open ? { open: item.open } : {}),
        ...(record.verdict ? { lastVerdict: record.verdict } : {}),
        look: trust.checks.takeDue() || nowAllowed(context.view.evidence, record.hosts),
        ...(record.dialect ? { dialect: record.dialect } : {}),
        limits: {
          ...limitsOf(record.budget, context.view.usage),
          ...definedOf(item.limits ?? {}),
        },
        ...(item.mode ? { mode: item.mode } : {}),
        ...(resume ? { resume } : {}),
        takeSteering: () => pictures.shown(takeSteering().map(messageOf)),
        signal,
      },
      ports,
    );
    if (result.outcome === "waiting" && !ended) return "waits";
    if (!ended) fail("internal", "The turn came to no end of its own. What was written is kept.");
    await takeName(context, item.text, name ?? title);
    const lastRun = await keepCheckpoint(context, workspace, titleOfTurn(item.text), item.run);
    await parts.store.projects.update(id, {
      lastRun,
      ...(result.verdict ? { verdict: result.verdict } : {}),
    });
  } catch (error) {
    const { code, message } = reasonOf(error);
    fail(code, message);
    if (!(error instanceof ApiFailure) && !signal.aborted)
      parts.onNotice(`A turn failed: ${message}`);
  } finally {
    watch.close();
  }
  return "ended";
}

/** Keeps the files as they are; tells so if they were not kept before. */
async function keepCheckpoint(
  context: ProjectContext,
  workspace: Workspace,
  label: string,
  run?: string,
): Promise<{ checkpoint: string; revision: string }> {
  const { checkpoint, revision, ...kept } = await workspace.checkpoint(label);
  if (!context.view.checkpoints.some((one) => one.checkpoint === checkpoint))
    context.append({
      type: "checkpoint",
      checkpoint,
      revision,
      label: kept.label,
      ...(run ? { run } : {}),
    });
  return { checkpoint, revision };
}

const titleOfTurn = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, 80);

function reasonOf(error: unknown): { code: ErrorCode; message: string } {
  if (error instanceof ApiFailure) return { code: errorCodeOf(error.code), message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { code: error instanceof WorkspaceError ? "workspace" : "internal", message };
}

function errorCodeOf(code: string): ErrorCode {
  if (code === "model-missing" || code === "model-unknown" || code === "key-wrong") return code;
  return "internal";
}

/** Without the fields that are undefined: a limit that nobody set must not hide its default. */
function definedOf<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}

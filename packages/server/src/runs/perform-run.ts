import { errorSentence, sentence } from "@treadle/protocol/sentences";
import { recordModel, type Model, type Resume, type RunRequest } from "@treadle/agent";
import type { ErrorCode, Evidence } from "@treadle/protocol";
import type { ProjectState } from "@treadle/protocol/fold";
import { unprovenItems } from "@treadle/protocol/evidence";
import type { ProjectRecord, QueuedMessage, StoredMessage } from "@treadle/store";
import { WorkspaceError } from "@treadle/workspace";
import { ApiFailure } from "@treadle/common";
import { keptPictures, messagePictures } from "@treadle/pictures";
import { keepCheckpoint } from "@treadle/workspace";
import { projectFolder } from "../project-context/project-folder.ts";
import type { ProjectContext } from "../project-context/project-context.ts";
import { titleOfTurn } from "../project-context/project-name.ts";
import { recordRun, type RecordingHead } from "@treadle/transcripts";
import { policyOf } from "./approvals.ts";
import { amountOf, limitsOf } from "./budget-limits.ts";
import { userMessage } from "./user-message.ts";
import { nowAllowed } from "./now-allowed.ts";
import { toldHistory } from "./told-history.ts";
import { runPorts } from "./run-ports.ts";
import { createRunRecord } from "./run-record.ts";
import { nameProject } from "./name-project.ts";

/**
 * Performs one run from its message to its `run-end`, which is always its last event and occurs exactly once. If
 * the run has to wait for the person, resolves with `waits` and without a `run-end`; call it again with `resume`
 * then. Never rejects.
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
  const record = createRunRecord(context, item, {
    signal,
    hasStarted: resume !== undefined,
    onEnd,
  });
  try {
    const answer = userMessage(item);
    const stored = await parts.store.messages.list(id);
    const messages = toldHistory(context.view, stored) as RunRequest["history"];
    if (!resume) await parts.store.messages.put(id, answer as StoredMessage);
    const resolved = await parts.models.resolve(item.model, {
      person: item.person,
      project: id,
      run: item.run,
    });
    const model = {
      ...resolved,
      ...(item.thinking ? { thinking: item.thinking } : {}),
      ...(item.cache ? { cache: item.cache } : {}),
      // The project's id is random and without personal data, so the provider may receive it.
      cacheKey: id,
    };
    const pictures = messagePictures(keptPictures(projectFolder(parts.dataDirectory, id)));
    const history = await pictures.shown(messages);
    const [message = answer] = await pictures.shown([answer]);
    const project = await context.record();
    // Sandbox and browser take a second each to start, so they start in parallel.
    const [workspace, browser] = await Promise.all([context.workspace(), parts.browserOf(project)]);
    const moment = { workspace, lastRun: project.lastRun };
    const copies = parts.copiesOf?.(project, workspace);
    const { changes, untold } = await trust.turnBegins(moment, !resume);
    // A resumed run is not aborted here, since it still has to complete its open calls.
    if (!resume) {
      signal.throwIfAborted();
      record.untold = untold();
    }
    // A run that only has to be ended makes no model call.
    const isOnlyEnded = resume && !resume.answer;
    const mcp = isOnlyEnded ? undefined : await parts.mcp?.toolsFor(id, workspace, signal);
    const { append } = record;
    const { approve } = item;
    const limits = {
      ...limitsOf(project.budget, () => parts.sharedUsage?.(id) ?? amountOf(context.view.usage)),
      ...definedOf(item.limits ?? {}),
    };
    const recorder = recordRun(projectFolder(parts.dataDirectory, id), item.run);
    const onBegin = async (checkpoint: string) => {
      recorder.begin(headOf(context, item, { checkpoint, model, project, limits }));
      if (project.keepsData)
        await parts.keptData
          ?.save(id, workspace, checkpoint)
          .catch((error: Error) =>
            parts.onNotice(`The app's data were not kept: ${error.message}`),
          );
    };
    const allowed = nowAllowed(context.view.evidence, project.hosts);
    const result = await parts.runTurn(
      {
        run: item.run,
        history,
        message,
        changes,
        personWrites: trust.authors.personWrites,
        rulesOff: project.rulesOff,
        open: item.open,
        failedBefore: context.view.evidence?.checks?.flatMap(({ name, state }) =>
          state === "failed" ? [name] : [],
        ),
        foundBefore: context.view.evidence?.findings,
        lastVerdict: project.verdict,
        lastOutcome: outcomeBefore(context.view, item.message),
        thorough: (project.verdicts ?? parts.verdicts) === "thorough",
        askedBefore: context.view.evidence?.asked,
        openBefore: openItems(context.view.evidence),
        prove: item.prove,
        nowAllowed: allowed,
        look: trust.checks.takeDue() || allowed.length > 0,
        dialect: project.dialect,
        limits,
        mode: item.mode,
        resume,
        takeSteering: () => pictures.shown(takeSteering().map(userMessage)),
        signal,
      },
      {
        ...runPorts(context, {
          model: { ...model, languageModel: recordModel(model.languageModel, recorder.add) },
          workspace,
          browser,
          copies,
          mcp,
          pictures,
          approve,
          person: parts.author && { id: item.person ?? "", name: "" },
          append,
        }),
        onBegin,
      },
    );
    if (result.outcome === "waiting" && !record.hasEnded()) {
      await recorder.settled();
      return "waits";
    }
    record.fail("internal", sentence("run-unended"));
    await nameProject(context, item.text, record.name());
    const lastRun = await keepCheckpoint(context, workspace, titleOfTurn(item.text), item.run);
    await recorder.end(lastRun.checkpoint);
    const { verdict } = result;
    await parts.store.projects.update(id, verdict ? { lastRun, verdict } : { lastRun });
  } catch (error) {
    const reason = errorSentence(error);
    record.fail(codeOf(error), reason);
    if (!(error instanceof ApiFailure) && !signal.aborted)
      parts.onNotice(`A turn failed: ${reason.text}`);
  } finally {
    record.close();
  }
  return "ended";
}

/** How the turn before this message ended. */
function outcomeBefore({ said: messages, head }: ProjectState, message: string) {
  return messages.get(messages.get(message)?.parent ?? head)?.outcome;
}

/** The initial state that a repetition of the run needs. */
function headOf(
  { view, parts }: ProjectContext,
  { run, message, text, mode, fix, prove, plan, pictures, open, approve }: QueuedMessage,
  {
    checkpoint,
    model,
    project,
    limits,
  }: { checkpoint: string; model: Model; project: ProjectRecord; limits: RunRequest["limits"] },
): RecordingHead {
  const { languageModel, price: _price, habits: _habits, ...known } = model;
  const { provider, modelId } = languageModel;
  const policy = policyOf({ view, parts });
  return {
    run,
    message,
    checkpoint,
    asked: { text, mode, fix, prove, plan, pictures, open },
    model: { ...known, dialect: project.dialect ?? model.dialect, provider, modelId },
    settings: {
      hosts: project.hosts ?? [],
      approvals: { ...policy, mode: approve ?? policy.mode },
      verdicts: project.verdicts ?? parts.verdicts,
      limits,
    },
  };
}

function codeOf(error: unknown): ErrorCode {
  if (error instanceof ApiFailure) return errorCodeOf(error.code);
  return error instanceof WorkspaceError ? "workspace" : "internal";
}

function errorCodeOf(code: string): ErrorCode {
  if (
    code === "budget" ||
    code === "model-missing" ||
    code === "model-unknown" ||
    code === "key-wrong"
  )
    return code;
  return "internal";
}

/** Drops undefined fields, so that an unset limit does not hide its default. */
function definedOf<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}

/** The requirements that no check shows, in the words of the evidence. */
const openItems = (evidence: Evidence | undefined): string[] =>
  evidence ? unprovenItems(evidence).flatMap(({ what }) => what ?? []) : [];

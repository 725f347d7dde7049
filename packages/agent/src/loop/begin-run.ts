import type { MissingServer, SuspendedRun } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import type { Workspace } from "@treadle/workspace";
import type { UIMessage } from "ai";
import { clipLine } from "../text/clip.ts";
import type { ModelRequest } from "../model-call/model-request.ts";
import { fixedTokens } from "../model-call/prompt-size.ts";
import { DEFAULT_LIMITS } from "../budget/limits.ts";
import { noUsage } from "../budget/budget.ts";
import type { CallRunner } from "../calls/run-call.ts";
import { createCallsSoFar, type CallsSoFar } from "../calls/calls-so-far.ts";
import type { Rules } from "../calls/permission.ts";
import { toolContexts } from "../calls/tool-context.ts";
import { countedInRun } from "../checks/note-checks.ts";
import { callIdsIn } from "../context/conversation/call-ids.ts";
import { emptyReply, type Conversation } from "../context/conversation/conversation.ts";
import { settleHistory } from "../context/conversation/settle-history.ts";
import { withChanges, withMode } from "../context/parts/data-parts.ts";
import { withHabits } from "../context/parts/with-habits.ts";
import { asksForRepair } from "../context/parts/with-problems.ts";
import { speakTo, type SpokenModel } from "../dialects/spoken-model.ts";
import { showPage } from "../evidence/serve/show-page.ts";
import type { McpTool } from "../mcp/types.ts";
import type { Model } from "../ports/model.ts";
import { createTriedApp } from "../preview/tried-app.ts";
import type { RunScope } from "../ports/run-scope.ts";
import type { ProjectInRun } from "../project/project-in-run.ts";
import { ALL_TOOLS } from "../tools/all-tools.ts";
import { type ForeignTool, foreignTools, TOOLS_SENT } from "../tools/foreign-tools.ts";
import { createFileGuard } from "../trust/file-guard.ts";
import { createLockWatch, type IsPersons } from "../trust/locks.ts";
import type { ProtectedWatch } from "../trust/put-back.ts";
import { lookAtProject, type Looks } from "../verdict/look-at-project.ts";
import { createRepairs } from "../verdict/repairs.ts";
import { takeReply } from "./resume-step.ts";
import type { Run } from "./run.ts";
import type { RunPorts, RunRequest } from "./types.ts";

/**
 * Creates the parts of a run in the order in which they depend on each other, and logs its start. Never throws: work
 * that can fail is left to `prepare`.
 */
export function beginRun(request: RunRequest, ports: RunPorts, signal: AbortSignal): Run {
  const state = request.resume?.state;
  const scope = scopeOf(request.run, ports, signal);
  const model = speakTo(ports, request.dialect ?? ports.model.dialect, request.mode ?? "act");
  const project = projectInRun(ports.workspace, state);
  const { foreign, leftOut } = offeredTools(ports.mcp ?? []);
  const asking = askingOf(request, ports, model, foreign);
  const { conversation, budget } = asking.fit;
  const calls = callsOf(request, conversation);
  const looks = looksOf(request, ports, { project, calls, model });
  const { browser } = ports;
  const tried =
    browser?.use && createTriedApp(ports.workspace, (use) => browser.use!(use), ports.copies);
  const todo = { saved: ports.todo, announced: "" };
  const protectedFiles = protectedWatch(request, ports, project);
  const runner: CallRunner = {
    calls,
    foreign,
    rules: callRules(request, ports, protectedFiles),
    project,
    model,
    protectedFiles,
    locks: createLockWatch(ports.workspace, ports.locks, lockAuthor(request, ports)),
    recorded: ports.recorded,
    contextOf: toolContexts(
      {
        ports,
        project,
        model,
        todo,
        personWrites: request.personWrites,
        tried,
        wrote(path, version, unseen) {
          project.touched.add(path);
          protectedFiles?.guard.agreed(path, version);
          ports.wrote(path, version, unseen);
        },
        evidence: () => lookAtProject(looks, scope),
        showPage: () => showPage(ports.workspace, scope),
      },
      scope,
    ),
  };
  if (!request.resume) logStart(request, ports, model, leftOut, scope);
  return {
    request,
    scope,
    budget,
    conversation,
    mentioned: { workspace: ports.workspace, browser, mentioned: ports.mentioned, seen: project.seen }, // prettier-ignore
    todo,
    model,
    asking,
    project,
    protectedFiles,
    calls,
    runner,
    looks,
    tried,
    repairs: createRepairs(state),
    save: (message) => ports.save(message),
  };
}

function scopeOf(run: string, { clock, log }: RunPorts, signal: AbortSignal): RunScope {
  let ended = false;
  return {
    run,
    signal,
    clock,
    emit(event) {
      if (ended) return;
      ended = event.type === "run-end";
      log.append(event);
    },
    settled: () => log.settled(),
  };
}

/** The project at the start of the run; a resumed run continues with its earlier knowledge. */
function projectInRun(workspace: Workspace, state: SuspendedRun | undefined): ProjectInRun {
  return {
    workspace,
    revision: "",
    changed: state?.changed ?? false,
    commanded: state?.commanded ?? false,
    served: state?.served,
    seen: new Map(state?.seen),
    touched: new Set(state?.touched),
    given: new Map(),
  };
}

/**
 * Splits the tools of external servers into those that fit into a request and those that do not.
 */
function offeredTools(tools: readonly McpTool[]) {
  const all = foreignTools(tools);
  const limit = TOOLS_SENT - ALL_TOOLS.length;
  return { foreign: all.slice(0, limit), leftOut: all.slice(limit) };
}

function callsOf({ resume }: RunRequest, conversation: Conversation): CallsSoFar {
  const calls = createCallsSoFar({
    count: resume?.state.callCount,
    faults: resume?.state.faults,
    ids: callIdsIn(conversation.messages),
  });
  if (resume?.answer) calls.answer = { question: resume.question.id, answer: resume.answer };
  return calls;
}

function looksOf(
  request: RunRequest,
  ports: RunPorts,
  { project, calls, model }: { project: ProjectInRun; calls: CallsSoFar; model: SpokenModel },
): Looks {
  return {
    ports,
    request,
    project,
    checks: ports.checks ?? countedInRun(),
    faults: calls.faults,
    modelSees: () => model.model.seesPictures === true,
    requestLine: requestLine(request.message),
    repairAsked: asksForRepair(request.message),
    failedChecks: new Set(request.resume?.state.failedChecks),
  };
}

/** Creates the watch of protected files; undefined if the person is never asked. */
function protectedWatch(
  { personWrites }: RunRequest,
  { workspace, approvals, personSettled }: RunPorts,
  project: ProjectInRun,
): ProtectedWatch | undefined {
  const guard = createFileGuard(workspace);
  return approvals && { guard, project, personWrites, personSettled, persons: approvals };
}

const callRules = (
  { mode = "act" }: RunRequest,
  { approvals, workspace, isAccepted, locks }: RunPorts,
  protectedFiles: ProtectedWatch | undefined,
): Rules => ({
  mode,
  approvals,
  workspace,
  isAccepted,
  locks,
  stood: (path) => protectedFiles?.guard.stood(path),
});

/** Tells whether the person is the author of a version of a locked file. */
const lockAuthor =
  ({ personWrites }: RunRequest, { approvals }: RunPorts): IsPersons =>
  (path, version) =>
    version === undefined
      ? personWrites.has(path)
      : (approvals?.isPersons?.(path, version) ?? personWrites.get(path) === version);

function askingOf(
  request: RunRequest,
  { clock, pictures, random = Math.random }: RunPorts,
  model: SpokenModel,
  foreign: ModelRequest["foreign"],
): ModelRequest {
  const state = request.resume?.state;
  const budget = {
    limits: { ...DEFAULT_LIMITS, ...request.limits },
    startedAt: clock.now() - (state?.workedMs ?? 0),
    steps: state?.steps ?? 0,
    usage: state?.usage ?? noUsage(),
    otherReached: model.model.budgetReached,
  };
  return {
    model,
    fit: {
      conversation: conversationOf(request, model.model),
      model: model.model,
      budget,
      fixedTokens: () => fixedTokens(model.dialect, foreign),
      overflows: 0,
    },
    foreign,
    pictures,
    random,
  };
}

/** The conversation as the model sees it; a resumed run has already added its own messages. */
function conversationOf(
  request: RunRequest,
  { id: model, habits = {} }: Pick<Model, "id" | "habits">,
): Conversation {
  const { resume, history } = request;
  const unsaved: UIMessage[] = [];
  const taken = resume && takeReply(history, resume.state.reply);
  if (taken) {
    const { before, reply } = taken;
    return { messages: [...settleHistory(before), reply], reply, unsaved };
  }
  const changed = withChanges(request.message, request.changes);
  const message = withHabits(withMode(changed, request.mode ?? "act"), habits);
  const reply = emptyReply(`${request.run}.reply`, model);
  return { messages: [...settleHistory(history), message, reply], reply, unsaved };
}

function tooMany({ origin }: ForeignTool): MissingServer {
  const { server, tool } = origin;
  const why = sentence("mcp-too-many-tools", { limit: TOOLS_SENT, tool });
  return { name: server, why: why.text, whyCode: why.coded };
}

function logStart(
  { run, message, mode }: RunRequest,
  { mcpMissing = [] }: RunPorts,
  { model, dialect }: SpokenModel,
  leftOut: readonly ForeignTool[],
  { emit }: RunScope,
): void {
  emit({
    type: "run-start",
    run,
    message: message.id,
    model: model.id,
    dialect,
    mode: mode === undefined || mode === "act" ? undefined : mode,
  });
  const servers = [...mcpMissing, ...leftOut.map(tooMany)];
  if (servers.length > 0) emit({ type: "tools-missing", run, servers });
}

/** Length of the excerpt of a message that represents the request, in characters. */
const REQUEST_CHARS = 200;

/** The person's message on one line. */
function requestLine({ parts }: UIMessage): string {
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
  return clipLine(text.trim(), REQUEST_CHARS);
}

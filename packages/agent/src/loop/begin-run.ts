import type { UIMessage } from "ai";
import { clipLine } from "../text/clip.ts";
import type { ModelRequest } from "../model-call/model-request.ts";
import { fixedTokens } from "../model-call/prompt-size.ts";
import { DEFAULT_LIMITS } from "../budget/limits.ts";
import { noUsage } from "../budget/budget.ts";
import type { CallRunner } from "../calls/run-call.ts";
import { createCallsSoFar } from "../calls/calls-so-far.ts";
import { toolContext, type ToolSources } from "../calls/tool-context.ts";
import { countedInRun } from "../checks/note-checks.ts";
import { callIdsIn } from "../context/conversation/call-ids.ts";
import { emptyReply, type Conversation } from "../context/conversation/conversation.ts";
import { settleHistory } from "../context/conversation/settle-history.ts";
import { withChanges, withMode } from "../context/parts/data-parts.ts";
import { withHabits } from "../context/parts/with-habits.ts";
import { asksForRepair } from "../context/parts/with-problems.ts";
import { speakTo, type SpokenModel } from "../dialects/spoken-model.ts";
import { showPage } from "../evidence/show-page.ts";
import type { Model } from "../ports/model.ts";
import { createTriedApp } from "../preview/tried-app.ts";
import type { RunScope } from "../ports/run-scope.ts";
import type { ProjectInRun } from "../project/project-in-run.ts";
import { ALL_TOOLS } from "../tools/all-tools.ts";
import { type ForeignTool, foreignTools, TOOLS_SENT } from "../tools/foreign-tools.ts";
import { createFileGuard } from "../trust/file-guard.ts";
import { createLockGuard, type LockWatch } from "../trust/locks.ts";
import type { ProtectedWatch } from "../trust/put-back.ts";
import { lookAtProject, type Looks } from "../verdict/look-at-project.ts";
import { createRepairs } from "../verdict/repairs.ts";
import { takeReply } from "./resume-step.ts";
import type { Run } from "./run.ts";
import type { RunPorts, RunRequest } from "./types.ts";

/** Makes the run's parts and says that it starts. Does nothing that can fail: that is left to `prepare`. */
export function beginRun(request: RunRequest, ports: RunPorts, signal: AbortSignal): Run {
  const { mode = "act", resume } = request;
  const { workspace, approvals, isAccepted, browser, pictures, personSettled } = ports;
  const state = resume?.state;
  const scope = scopeOf(request.run, ports, signal);
  const model = speakTo(ports, request.dialect ?? ports.model.dialect, mode);
  const project: ProjectInRun = {
    workspace,
    revision: "",
    changed: state?.changed ?? false,
    commanded: state?.commanded ?? false,
    ...(state?.served === undefined ? {} : { served: state.served }),
    seen: new Map(state?.seen),
    touched: new Set(state?.touched),
    given: new Map(),
  };
  const all = foreignTools(ports.mcp ?? []);
  const foreign = all.slice(0, TOOLS_SENT - ALL_TOOLS.length);
  const asking = askingOf(request, ports, model, foreign);
  const calls = createCallsSoFar({
    count: state?.callCount,
    faults: state?.faults,
    ids: callIdsIn(asking.fit.conversation.messages),
  });
  if (resume?.answer) calls.answer = { question: resume.question.id, answer: resume.answer };
  const { personWrites } = request;
  const protectedFiles: ProtectedWatch | undefined = approvals && {
    guard: createFileGuard(workspace),
    project,
    personWrites,
    personSettled,
    persons: approvals,
  };
  const lockGuard = createLockGuard(workspace, ports.locks ?? (() => []));
  const locks: LockWatch = {
    begin: () => lockGuard.begin(),
    putBack: () =>
      lockGuard.putBack((path, version) =>
        version === undefined
          ? personWrites.has(path)
          : (approvals?.isPersons?.(path, version) ?? personWrites.get(path) === version),
      ),
  };
  const looks: Looks = {
    project,
    browser,
    copies: ports.copies,
    failedBefore: new Set(request.failedBefore),
    foundBefore: request.foundBefore,
    keepPicture: pictures && ((bytes, undrawn) => pictures.save(bytes, undrawn)),
    modelSees: () => model.model.seesPictures === true,
    checks: ports.checks ?? countedInRun(),
    beginLook: ports.beginLook,
    faults: calls.faults,
    lastVerdict: request.lastVerdict,
    isDue: request.look === true,
    repairAsked: asksForRepair(request.message),
    isThorough: request.thorough === true,
    request: requestLine(request.message),
    askedBefore: request.askedBefore,
    failedChecks: new Set(state?.failedChecks),
    recorded: ports.recorded,
  };
  const tried = browser?.use && createTriedApp(workspace, (use) => browser.use!(use), ports.copies);
  const todo = { saved: ports.todo, announced: "" };
  const sources: ToolSources = {
    project,
    model,
    todo,
    personWrites,
    personSettled,
    persons: approvals,
    readTemplate: ports.readTemplate,
    personSkills: ports.personal?.skills,
    isAccepted,
    tried,
    pictures,
    outputs: ports.outputs,
    wrote(path, version, unseen) {
      project.touched.add(path);
      protectedFiles?.guard.agreed(path, version);
      ports.wrote(path, version, unseen);
    },
    evidence: () => lookAtProject(looks, scope),
    showPage: () => showPage(workspace, scope),
  };
  const runner: CallRunner = {
    calls,
    foreign,
    rules: {
      mode,
      approvals,
      workspace,
      isAccepted,
      stood: (path) => protectedFiles?.guard.stood(path),
      locks: ports.locks,
    },
    project,
    model,
    protectedFiles,
    locks,
    recorded: ports.recorded,
    contextOf: (call, onOutput, answer) => toolContext(call, sources, scope, { onOutput, answer }),
  };
  const run: Run = {
    request,
    scope,
    budget: asking.fit.budget,
    conversation: asking.fit.conversation,
    mentioned: { workspace, browser, mentioned: ports.mentioned, seen: project.seen },
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
  if (!resume) tellStart(request, ports, model, all.slice(foreign.length), scope);
  return run;
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

/** What the model is shown; a run that goes on has said some of it itself. */
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

const tooMany = ({ origin }: ForeignTool) => ({
  name: origin.server,
  why: `A request offers ${TOOLS_SENT} tools at most, so its tool ${origin.tool} is left out. Switch off servers that are not needed.`,
});

function tellStart(
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
    ...(mode === undefined || mode === "act" ? {} : { mode }),
  });
  const servers = [...mcpMissing, ...leftOut.map(tooMany)];
  if (servers.length > 0) emit({ type: "tools-missing", run, servers });
}

/** Characters of a message that stand for what was asked for. */
const REQUEST_CHARS = 200;

/** What the person wrote, in one line. */
function requestLine({ parts }: UIMessage): string {
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
  return clipLine(text.trim(), REQUEST_CHARS);
}

import type { UIMessage } from "ai";
import { createObeyedGuard } from "../trust/obeyed-guard.ts";
import { takeReply } from "./resume-step.ts";
import { withDialect } from "../dialects/with-dialect.ts";
import { foreignTools } from "../tools/foreign-tools.ts";
import { withHabits } from "../context/parts/with-habits.ts";
import type { Model, RunPorts, RunRequest } from "../types.ts";
import { makeBriefing } from "../context/briefing/make-briefing.ts";
import { toldBriefing, withBriefing } from "../context/briefing/told-briefing.ts";
import { withMentions } from "../context/mentions/with-mentions.ts";
import { answeredBy } from "../context/conversation/foreign-parts.ts";
import { noteChecks, standingInRun } from "../checks/note-checks.ts";
import { abortable } from "../async/abortable.ts";
import { createBestRevision } from "../verdict/best-revision.ts";
import { createCallGuard } from "../calls/call-guard.ts";
import { withChanges, withMode } from "../context/parts/data-parts.ts";
import { keepCheckpoint } from "../project/keep-checkpoint.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { settleHistory } from "../context/conversation/settle-history.ts";
import type { Run } from "./state.ts";
import { noUsage } from "../models/usage.ts";
import { asksForRepair, withProblems } from "../context/parts/with-problems.ts";

/** Makes the run's state and says that it starts. Does nothing that can fail: that is left to `prepare`. */
export function beginRun(request: RunRequest, ports: RunPorts, signal: AbortSignal): Run {
  const dialect = request.dialect ?? ports.model.dialect;
  const { resume } = request;
  const state = resume?.state;
  const { messages, reply } = conversationOf(request, ports.model);
  let ended = false;
  const run: Run = {
    request,
    ports,
    limits: { ...DEFAULT_LIMITS, ...request.limits },
    dialect,
    foreign: foreignTools(ports.mcp ?? []),
    languageModel: withDialect(ports.model.languageModel, dialect, request.mode),
    signal,
    startedAt: ports.clock.now() - (state?.workedMs ?? 0),
    emit(event) {
      if (ended) return;
      ended = event.type === "run-end";
      ports.log.append(event);
    },
    messages,
    reply,
    sendsTemperature: ports.model.takesTemperature,
    steps: state?.steps ?? 0,
    overflows: 0,
    calls: state?.callCount ?? 0,
    usage: state?.usage ?? noUsage(),
    seen: new Map(state?.seen),
    touched: new Set(state?.touched),
    faults: new Map(state?.faults),
    noted: new Set(),
    failedChecks: new Set(state?.failedChecks),
    revision: "",
    changed: state?.changed ?? false,
    commanded: state?.commanded ?? false,
    repairAsked: asksForRepair(request.message),
    ...(state?.served === undefined ? {} : { served: state.served }),
    guard: createCallGuard(),
    ...(ports.approvals ? { obeyed: createObeyedGuard(ports.workspace) } : {}),
    checks: ports.checks ?? standingInRun(),
    best: createBestRevision(),
    repairs: state?.repairs ?? 0,
    ...(state?.lastFailure === undefined ? {} : { lastFailure: state.lastFailure }),
    sameFailures: state?.sameFailures ?? 0,
    ...(state?.tried ? { tried: state.tried.map((titles) => [...titles]) } : {}),
    toldTodo: "",
    unsaved: [],
    ...(resume?.answer ? { answer: { question: resume.question.id, answer: resume.answer } } : {}),
  };
  if (state?.best) run.best.restore(state.best);
  if (resume) return run;
  run.emit({
    type: "run-start",
    run: request.run,
    message: request.message.id,
    model: ports.model.id,
    dialect,
    ...(request.mode === "plan" ? { mode: request.mode } : {}),
  });
  if (ports.mcpMissing && ports.mcpMissing.length > 0)
    run.emit({ type: "tools-missing", run: request.run, servers: [...ports.mcpMissing] });
  return run;
}

/** What the model is shown; a run that goes on has said some of it itself. */
function conversationOf(
  request: RunRequest,
  { id: model, habits = {} }: Model,
): { messages: UIMessage[]; reply: UIMessage } {
  const { resume, history } = request;
  const taken = resume && takeReply(history, resume.state.reply);
  if (taken) return { messages: [...settleHistory(taken.before), taken.reply], reply: taken.reply };
  const message = withHabits(
    withMode(withChanges(request.message, request.changes), request.mode ?? "act"),
    habits,
  );
  const reply: UIMessage = {
    id: `${request.run}.reply`,
    role: "assistant",
    metadata: answeredBy(model),
    parts: [],
  };
  return { messages: [...settleHistory(history), message, reply], reply };
}

/** Keeps what the run starts from, so that it can be gone back to. */
export async function prepare(run: Run): Promise<void> {
  const { request, ports } = run;
  if (request.resume) return;
  await brief(run);
  const said = run.messages.at(-2);
  if (said)
    run.messages[run.messages.length - 2] = await withProblems(run, await withMentions(run, said));
  const message = run.messages.at(-2);
  if (message?.parts.some(({ type }) => type.startsWith("data-")))
    await abortable(ports.save(message), run.signal);
  await noteChecks(run);
  const before = await keepCheckpoint(run, "Before this turn");
  if (request.lastVerdict === "verified" && before)
    run.best.offerVerified(before.checkpoint, before.revision);
}

/** Puts before the person's words what the model does not know yet of project and person. */
async function brief(run: Run): Promise<void> {
  const at = run.messages.length - 2;
  const message = run.messages[at];
  const { workspace, personal, clock, isAccepted } = run.ports;
  if (!message) return;
  try {
    const told = toldBriefing(run.messages);
    const { rulesOff, open } = run.request;
    const now = clock.now();
    const work = makeBriefing({
      workspace,
      personal,
      limits: run.limits,
      now,
      told,
      rulesOff,
      isAccepted,
      open,
    });
    run.messages[at] = withBriefing(message, await abortable(work, run.signal));
  } catch {
    // It is a help and no condition; what is wrong with the workspace is said by what comes next.
    run.signal.throwIfAborted();
  }
}

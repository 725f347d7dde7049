import { isSound } from "@treadle/protocol/evidence";
import { sentence } from "@treadle/protocol/sentences";
import type { UIMessage } from "ai";
import { abortable } from "../async/waiting.ts";
import type { RunBudget } from "../budget/budget.ts";
import { noteChecks } from "../checks/note-checks.ts";
import { CHECKS_FILE } from "../checks/parse-checks.ts";
import { makeBriefing } from "../context/briefing/make-briefing.ts";
import { toldBriefing, withBriefing } from "../context/briefing/told-briefing.ts";
import { withMentions } from "../context/mentions/with-mentions.ts";
import { asksForRepair, withProblems } from "../context/parts/with-problems.ts";
import { withStanding } from "../context/parts/with-standing.ts";
import type { RunScope } from "../ports/run-scope.ts";
import { keepCheckpoint } from "../project/keep-checkpoint.ts";
import type { Run } from "./run.ts";
import type { RunPorts, RunRequest } from "./types.ts";

/** Completes the person's message, and saves a checkpoint of the run's starting point. */
export async function prepare(run: Run, ports: RunPorts): Promise<void> {
  const { request, scope, conversation, mentioned, looks, project, repairs } = run;
  if (request.resume) return;
  const { messages } = conversation;
  const at = messages.length - 2;
  const briefed = await brief(messages, at, request, ports, run.budget, scope);
  // A message that asks for a repair already contains the evidence.
  const standing = asksForRepair(request.message)
    ? briefed
    : withStanding(briefed, ports.mentioned?.evidence(), request);
  const message = await withProblems(
    await withMentions(standing, mentioned, scope),
    mentioned,
    scope,
  );
  messages[at] = message;
  if (message.parts.some(({ type }) => type.startsWith("data-")))
    await abortable(run.save(message), scope.signal);
  const outside = request.changes.some(({ path }) => path === CHECKS_FILE);
  await noteChecks(project.workspace, looks.checks, outside ? "outside" : "model", scope.signal);
  const before = await keepCheckpoint(project, sentence("before-turn"), scope);
  looks.before = before.checkpoint;
  await abortable(Promise.resolve(ports.onBegin?.(before.checkpoint)), scope.signal);
  if (isSound(request.lastVerdict)) repairs.best.offerVerified(before.checkpoint, before.revision);
}

/** Adds to the person's message what the model does not know yet about project and person. */
async function brief(
  messages: UIMessage[],
  at: number,
  { rulesOff, open }: RunRequest,
  { workspace, personal, isAccepted }: RunPorts,
  { limits }: RunBudget,
  { signal, clock }: RunScope,
): Promise<UIMessage> {
  const message = messages[at]!;
  try {
    const briefing = toldBriefing(messages);
    const now = clock.now();
    const work = makeBriefing({
      workspace,
      personal,
      limits,
      now,
      previous: briefing,
      rulesOff,
      isAccepted,
      open,
      words: message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
    });
    return withBriefing(message, await abortable(work, signal));
  } catch {
    // The briefing is optional; a broken workspace is reported by whatever uses it next.
    signal.throwIfAborted();
    return message;
  }
}

import { toolKind } from "@treadle/protocol/tools";
import type { StepRecord } from "../model-call/step-record.ts";
import { isAnswered } from "../calls/faults.ts";
import { abortable } from "../async/waiting.ts";
import { saveReply, emptyReply, goOnWith } from "../context/conversation/conversation.ts";
import { keepCheckpoint } from "../project/keep-checkpoint.ts";
import { findTool } from "../tools/all-tools.ts";
import type { Tool } from "../tools/tool.ts";
import { putBackChanged } from "../trust/put-back.ts";
import { noteTried } from "../verdict/repairs.ts";
import type { Run } from "./run.ts";
import { withMentions } from "../context/mentions/with-mentions.ts";
import { asksForRepair, withProblems } from "../context/parts/with-problems.ts";
import type { DialectName } from "@treadle/protocol";
import { sentence, type Sentence, asMessage } from "@treadle/protocol/sentences";
import { standingTodo, type StandingTodo } from "../context/todo/todo.ts";
import type { RunError } from "../ports/run-error.ts";
import { CUT_ANSWERS, MALFORMED_STEPS } from "./limits.ts";

/** Saves the files and the messages of a step before anything else happens. */
export async function keepStep(
  { protectedFiles, project, calls, runner, asking, repairs, conversation, save, scope }: Run,
  record: StepRecord,
): Promise<void> {
  const { foreign } = asking;
  // A server may still have written files after the call that started it.
  if (protectedFiles) await abortable(putBackChanged(protectedFiles, scope), scope.signal);
  await abortable(runner.locks.putBack(), scope.signal);
  const mayHaveChanged = record.calls.some(
    ({ startedAt, tool }) => startedAt !== undefined && findTool(tool, foreign)?.changes,
  );
  if (mayHaveChanged) {
    const before = project.revision;
    const checkpoint = await keepCheckpoint(project, labelOf(record, foreign), scope);
    if (checkpoint.revision !== before) {
      project.changed = true;
      calls.guard.filesChanged();
    }
  }
  noteTried(repairs, record);
  // A store that does not answer must not delay a stop.
  await abortable(saveReply(conversation, save), scope.signal);
}

/** Tools that only observe; files may still change while they run. */
const isLook = (tool: string) => toolKind(tool) === "looks" || toolKind(tool) === "serves";

/**
 * Names a checkpoint after the changes of its step; notes, reads and started servers do not count.
 */
function labelOf({ step, calls }: StepRecord, foreign: readonly Tool[]): string | Sentence {
  const titles = calls
    .filter(
      ({ outcome, tool }) =>
        outcome?.status === "ok" && findTool(tool, foreign)?.changes && !isLook(tool),
    )
    .map(({ outcome }) => ({
      text: outcome?.title ?? "",
      coded: outcome?.titleCode,
    }));
  const [first] = titles;
  if (first === undefined) return `Step ${step}`;
  return titles.length === 1
    ? first
    : sentence("and-more", { what: first, count: titles.length - 1 });
}

export const TOO_LONG: RunError = {
  code: "output-limit",
  ...asMessage(sentence("output-limit")),
  canContinue: true,
};
const MALFORMED: RunError = {
  code: "loop",
  ...asMessage(sentence("calls-malformed")),
  canContinue: true,
};
const FILTERED: RunError = {
  code: "provider-refused",
  ...asMessage(sentence("answer-filtered")),
  canContinue: true,
};

/** Counts consecutive answers without a usable result. */
export function createAnswerProblems(): {
  /** Returns why the run cannot continue after this answer, if so. Call once for each answer. */
  in(record: StepRecord): RunError | undefined;
} {
  let cut = 0;
  let malformed = 0;
  return {
    in({ finish, calls }) {
      malformed = isMalformed(calls) ? malformed + 1 : 0;
      if (malformed >= MALFORMED_STEPS) return MALFORMED;
      cut = finish === "length" ? cut + 1 : 0;
      // Text whose continuation failed counts as no answer. After a cut call, the model is told what to do, and may try
      // again.
      if (cut > CUT_ANSWERS || (cut > 0 && calls.length === 0)) return TOO_LONG;
      return finish === "content-filter" ? FILTERED : undefined;
    },
  };
}

function isMalformed(calls: StepRecord["calls"]): boolean {
  return calls.length > 0 && calls.every(({ invalid }) => invalid !== undefined);
}

/**
 * Adds messages that the person sent during the run to the conversation, between two steps. Saves
 * them before it reports them. Rejects if the store fails.
 * @returns whether there were any
 */
export async function steer(run: Run): Promise<boolean> {
  const { request, conversation, mentioned, looks, model, budget, scope } = run;
  const steering = (await request.takeSteering?.()) ?? [];
  for (const plain of steering) {
    const spoken = await withProblems(
      await withMentions(plain, mentioned, scope),
      mentioned,
      scope,
    );
    looks.repairAsked ||= asksForRepair(spoken);
    await abortable(run.save(spoken), scope.signal);
    conversation.messages.push(spoken);
    scope.emit({ type: "message-taken", run: scope.run, message: plain.id });
  }
  if (steering.length === 0) return false;
  goOnWith(conversation, emptyReply(`${scope.run}.reply-${budget.steps}`, model.model.id));
  return true;
}

/** Commands whose output is not worth reading if they succeed. */
const EXPECTED = /^\s*(?:npm|pnpm|yarn|npx|bun)\s/;

/**
 * Returns whether the model considers its turn done: its answer has no calls, or calls `finish` and nothing failed. In
 * the artifact dialect, one answer holds all actions, so it ends the turn if all of them succeeded and none was
 * requested for its output. Checks that it wrote and that cannot pass do not end it, because observing the app would
 * reveal nothing more.
 */
export function endsTurn(
  { finish, calls }: StepRecord,
  dialect: DialectName,
  todo: StandingTodo,
): boolean {
  if (finish === "length") return false;
  if (calls.length === 0) return true;
  if (leftUnreadable(calls)) return false;
  if (calls.some(({ tool }) => toolKind(tool) === "ends")) return calls.every(isAnswered);
  if (dialect !== "artifact") return false;
  // Open to-do items mean that the model has more to do.
  const listed = calls.some(({ tool }) => toolKind(tool) === "plans");
  if (listed && standingTodo(todo).some(({ status }) => status !== "done")) return false;
  return calls.every(({ tool, input, outcome }) => {
    if (outcome?.status !== "ok") return false;
    const kind = toolKind(tool);
    if (kind === "reads") return false;
    const command = input?.["command"];
    return kind !== "runs" || (typeof command === "string" && EXPECTED.test(command));
  });
}

/** Whether the answer left the checks file in a form that cannot pass. */
const leftUnreadable = (calls: StepRecord["calls"]): boolean =>
  calls.findLast(({ outcome }) => outcome?.needsMending !== undefined)?.outcome?.needsMending ===
  true;

const UNREADABLE_CHECKS =
  "Your turn did not end: the checks that you wrote beside finish cannot pass as they are, as said there. Mend them, then call finish.";

/** The message for a model that ended its turn beside a failed call: why the run continues. */
export function failedBesideEnd({ calls }: StepRecord): string | undefined {
  if (!calls.some(({ tool }) => toolKind(tool) === "ends")) return undefined;
  if (leftUnreadable(calls)) return UNREADABLE_CHECKS;
  const failed = calls.filter((call) => !isAnswered(call)).map(({ tool }) => tool);
  if (failed.length === 0) return undefined;
  return `Your turn did not end: ${[...new Set(failed)].join(", ")} beside it did not succeed. Make that good, or call finish by itself if it does not matter.`;
}

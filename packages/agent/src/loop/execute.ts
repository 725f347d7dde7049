import type { LastWords } from "@treadle/protocol";
import { toolKind } from "@treadle/protocol/tools";
import { resumeStep } from "./resume-step.ts";
import { putBackObeyed } from "../trust/put-back-obeyed.ts";
import { giveUpWaiting, suspend } from "./suspend.ts";
import { onlyDescribed } from "../answer/only-described.ts";
import { toolOf } from "../calls/tool-of.ts";
import { pictureParts } from "../context/conversation/page-pictures.ts";
import { shownTo } from "../context/conversation/shown-to.ts";
import { answeredBy } from "../context/conversation/foreign-parts.ts";
import type { Picture } from "../types.ts";
import { abortable } from "../async/abortable.ts";
import { budgetReached } from "./budget.ts";
import { noteMessage } from "../context/parts/data-parts.ts";
import { knowTodo, tellTodo } from "../context/todo/standing-todo.ts";
import { endsTurn } from "./ends-turn.ts";
import { lastWords } from "../answer/closing-words.ts";
import { keepCheckpoint } from "../project/keep-checkpoint.ts";
import { CUT_ANSWERS, MALFORMED_STEPS } from "./limits.ts";
import { review, verdictNow } from "../verdict/review.ts";
import { saveReply } from "./save-reply.ts";
import type { Ending, Run, RunError } from "./state.ts";
import type { StepRecord } from "../answer/step-record.ts";
import { steer } from "./steer.ts";
import { takeStep, type StepOutcome } from "./take-step.ts";
import { noteTried } from "../verdict/tried.ts";

/**
 * The loop: asks, runs, keeps, until a verdict, an error or a budget ends it, or it waits for the person.
 * Rejects only when the run is aborted.
 */
export async function execute(run: Run): Promise<Ending | "waiting"> {
  let cut = 0;
  let malformed = 0;
  let { resume } = run.request;
  for (;;) {
    const over = resume ? undefined : budgetReached(run);
    if (over) return verdictNow(run, "budget", over);
    if (resume) knowTodo(run);
    else tellTodo(run);
    const { record, failure }: StepOutcome = resume
      ? { record: await resumeStep(run, resume) }
      : await takeStep(run);
    resume = undefined;
    if (run.waitsFor) {
      await waitForPerson(run, record);
      return "waiting";
    }
    await keepStep(run, record);
    if (failure)
      return verdictNow(run, "error", {
        code: failure.code,
        message: failure.message,
        canContinue: true,
      });
    if (run.fatal) return verdictNow(run, "error", run.fatal);

    malformed = isMalformed(record) ? malformed + 1 : 0;
    if (malformed >= MALFORMED_STEPS) return verdictNow(run, "error", MALFORMED);
    cut = record.finish === "length" ? cut + 1 : 0;
    // Words that were not gone on with are no answer; of a call that was cut, the model is told what to do.
    if (cut > CUT_ANSWERS || (cut > 0 && record.calls.length === 0)) {
      const spent = budgetReached(run);
      return spent ? verdictNow(run, "budget", spent) : verdictNow(run, "error", TOO_LONG);
    }
    if (record.finish === "content-filter") return verdictNow(run, "error", FILTERED);

    if ((await steer(run)) || !endsTurn(run, record)) continue;
    const said = lastWords(record);
    const described = onlyDescribed(run, record);
    if (described !== undefined) {
      say(run, "continue", described);
      continue;
    }
    if (run.request.mode === "plan") return tellPlan(run, record, said);
    if (said) run.said = said;
    const next = await review(run);
    if ("ending" in next) return next.ending;
    say(run, "evidence", next.tell, next.picture);
  }
}

/** What the model answered last is the plan. */
function tellPlan(run: Run, record: StepRecord, said: LastWords | undefined): Ending {
  const spoken = record.slots
    .map((slot) => (slot.kind === "text" ? slot.pieces.join("") : ""))
    .join("")
    .trim();
  // Where it was not said in words it stands in what the turn was ended with.
  const text = [spoken, said?.done, said?.try].filter(Boolean).join("\n\n");
  if (text !== "") run.emit({ type: "plan", run: run.request.run, text });
  return {
    outcome: "done",
    summary: text === "" ? "The model ended without a plan." : "A plan. Nothing was changed.",
  };
}

/** Keeps what there is and says that the run waits. Where it cannot, what waits gets its result after all. */
async function waitForPerson(run: Run, record: StepRecord): Promise<void> {
  try {
    await keepStep(run, record);
    await suspend(run, record);
  } catch (error) {
    giveUpWaiting(run, record);
    throw error;
  }
}

/** The model is told something that nobody said; its next words are a message of their own. */
function say(run: Run, kind: "evidence" | "continue", text: string, picture?: Picture): void {
  const note = noteMessage(`${run.request.run}.note-${run.steps}`, kind, text);
  if (picture) note.parts.push(...pictureParts(picture, shownTo(run)));
  const reply = {
    id: `${run.request.run}.reply-${run.steps}`,
    role: "assistant" as const,
    metadata: answeredBy(run.ports.model.id),
    parts: [],
  };
  run.messages.push(note, reply);
  run.reply = reply;
  run.unsaved.push(note);
}

/** Files as they are after a step, and the words that were said, are kept before anything else happens. */
async function keepStep(run: Run, record: StepRecord): Promise<void> {
  // A server that goes on may have written since its call.
  await abortable(putBackObeyed(run), run.signal);
  if (
    record.calls.some(
      ({ startedAt, tool }) => startedAt !== undefined && toolOf(run, tool)?.changes,
    )
  ) {
    const before = run.revision;
    const kept = await keepCheckpoint(run, labelOf(run, record));
    if (kept.revision !== before) {
      run.changed = true;
      run.guard.filesChanged();
    }
  }
  noteTried(run, record);
  // A store that does not answer must not hold up a stop.
  await abortable(saveReply(run), run.signal);
}

/** Files may change under it, although that is not what it is for. */
const isLook = (tool: string) => toolKind(tool) === "looks" || toolKind(tool) === "serves";

/** What was changed: what was only noted, read or started beside it is no name for a checkpoint. */
function labelOf(run: Run, { step, calls }: StepRecord): string {
  const titles = calls
    .filter(
      ({ outcome, tool }) =>
        outcome?.status === "ok" && toolOf(run, tool)?.changes && !isLook(tool),
    )
    .map(({ outcome }) => outcome?.title ?? "");
  const [first] = titles;
  if (first === undefined) return `Step ${step}`;
  return titles.length === 1 ? first : `${first} and ${titles.length - 1} more`;
}

function isMalformed({ calls }: StepRecord): boolean {
  return calls.length > 0 && calls.every(({ invalid }) => invalid !== undefined);
}

const TOO_LONG: RunError = {
  code: "output-limit",
  message:
    "The model reached its output limit before its answer was whole, and going on did not help. Ask for less at once, or choose another model.",
  canContinue: true,
};
const MALFORMED: RunError = {
  code: "loop",
  message:
    "The model's tool calls could not be understood several times in a row. Choose another model or dialect.",
  canContinue: true,
};
const FILTERED: RunError = {
  code: "provider-refused",
  message: "The provider's content filter stopped the answer.",
  canContinue: true,
};

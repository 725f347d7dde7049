import type { LastWords } from "@treadle/protocol";
import { sentence, asMessage } from "@treadle/protocol/sentences";
import type { StepRecord } from "../model-call/step-record.ts";
import { askedAgain, askedItems } from "../model-call/asked-items.ts";
import { closingWords } from "../model-call/closing-words.ts";
import { onlyDescribed, tellUnread, unreadIn } from "../model-call/only-described.ts";
import { tellBlocks, tellFileBlocks } from "../model-call/unread-blocks.ts";
import { budgetReached } from "../budget/budget.ts";
import { emptyReply, goOnWith } from "../context/conversation/conversation.ts";
import { noteMessage } from "../context/conversation/note-message.ts";
import { pictureParts } from "../context/conversation/page-pictures.ts";
import { shownTo } from "../context/conversation/shown-conversation.ts";
import { knowTodo, tellTodo } from "../context/todo/todo.ts";
import type { ModelFailure } from "../models/errors/model-failure.ts";
import { retryDelay } from "../models/errors/retry-delay.ts";
import { prose } from "../text/prose.ts";
import type { Picture } from "../ports/pictures.ts";
import type { RunError } from "../ports/run-error.ts";
import type { RunScope } from "../ports/run-scope.ts";
import { type RunEnding, summaryFields } from "../verdict/ending.ts";
import { review, verdictNow } from "../verdict/review.ts";
import {
  createAnswerProblems,
  endsTurn,
  failedBesideEnd,
  keepStep,
  steer,
  TOO_LONG,
} from "./between-steps.ts";
import { createBrokenAnswers } from "./await-broken.ts";
import { resumeStep } from "./resume-step.ts";
import type { Run } from "./run.ts";
import { waitForPerson } from "./suspend.ts";
import { takeStep, type StepOutcome } from "./take-step.ts";

/**
 * The loop: requests steps until a verdict, an error or a budget ends the run, or until it waits
 * for the person. Rejects only when the run is aborted.
 */
export async function execute(run: Run): Promise<RunEnding | "waiting"> {
  const { request, scope, budget, conversation, todo, calls, looks, repairs } = run;
  const spent = () => budgetReached(budget, scope.clock.now());
  const endWith = (outcome: "budget" | "error", error: RunError) =>
    verdictNow(looks, repairs, outcome, error, scope);
  const problems = createAnswerProblems();
  const broken = createBrokenAnswers(scope);
  let { resume } = request;
  for (;;) {
    const exhausted = resume ? undefined : spent();
    if (exhausted) return endWith("budget", exhausted);
    if (resume) knowTodo(todo, conversation.messages);
    else tellTodo(todo, conversation, `${scope.run}.todo-${budget.steps}`);

    const { record, failure }: StepOutcome = resume
      ? { record: await resumeStep(resume.state, run, scope) }
      : await takeStep(run, scope);
    resume = undefined;
    if (calls.waitsFor) {
      await waitForPerson(run, record);
      return "waiting";
    }
    await keepStep(run, record);
    run.hasSpoken ||= hasWords(record);
    if (failure) {
      if (await goesOnAfter(failure, record, run, broken)) continue;
      const { code, message, messageCode } = failure;
      return endWith("error", { code, message, messageCode, canContinue: true });
    }
    broken.send({ type: "answered" });
    if (calls.fatal) return endWith("error", calls.fatal);
    const problem = problems.in(record);
    const used = problem === TOO_LONG ? spent() : undefined;
    if (problem) return used ? endWith("budget", used) : endWith("error", problem);

    if (await steer(run)) continue;
    if (!endsTurn(record, run.model.dialect, todo)) {
      const text = failedBesideEnd(record) ?? unreadBlocks(run, record);
      if (text !== undefined) writeClosing(run, "continue", text);
      continue;
    }
    if (record.calls.length === 0 && !run.hasSpoken && !run.project.changed) {
      if (run.toldEmpty) return endWith("error", EMPTY_ANSWERS);
      run.toldEmpty = true;
      writeClosing(run, "continue", EMPTY);
      continue;
    }
    const described = describedOnly(run, record);
    if (described !== undefined) {
      writeClosing(run, "continue", described);
      continue;
    }
    const lastWords = closingWords(record);
    if (request.mode === "plan") return tellPlan(record, lastWords, scope);
    if (lastWords) run.lastWords = saidOver(run.lastWords, lastWords);
    looks.asked = askedAgain(looks.asked, askedItems(record));
    if (request.mode === "discuss") {
      return { outcome: "done", ...summaryFields(sentence("nothing-changed")) };
    }
    const next = await review(looks, repairs, budget.limits.repairs, scope);
    if ("ending" in next) return next.ending;
    writeClosing(run, "evidence", next.prompt, next.picture);
  }
}

const BROKEN = prose(new URL("./broken-answer.md", import.meta.url));

/**
 * Waits, then asks the model to continue a partly received answer. Resolves with whether it does:
 * false if asking again cannot help or too many consecutive answers broke off.
 */
async function goesOnAfter(
  failure: ModelFailure,
  record: StepRecord,
  run: Run,
  broken: ReturnType<typeof createBrokenAnswers>,
): Promise<boolean> {
  const { asking, calls, scope } = run;
  // A request whose answer never began was already retried.
  const isBroken = record.committed && !calls.fatal;
  const most = run.budget.limits.goOns + 1;
  const waitMs = isBroken
    ? retryDelay(failure, broken.inARow() + 1, most, asking.random)
    : undefined;
  if (!(await broken.wait(failure, waitMs))) return false;
  scope.signal.throwIfAborted();
  writeClosing(run, "continue", BROKEN);
  await steer(run);
  return true;
}

/**
 * Merges the closing words of a repair with those before it, since a repair omits what it does not
 * change.
 */
function saidOver(before: LastWords | undefined, now: LastWords): LastWords {
  if (before === undefined || now.done !== "") return now;
  return { done: before.done, try: now.try ?? before.try, name: now.name ?? before.name };
}

const EMPTY = prose(new URL("./empty-answer.md", import.meta.url));
const EMPTY_ANSWERS: RunError = {
  code: "provider-refused",
  ...asMessage(sentence("empty-answers")),
  canContinue: true,
};

/** Whether an answer contains text; reasoning does not count. */
const hasWords = ({ slots }: StepRecord) =>
  slots.some((slot) => slot.kind === "text" && slot.pieces.some((piece) => piece.trim() !== ""));

const mayAct = ({ request: { mode = "act" } }: Run) => mode === "act";

/**
 * The message for a model that put code into its text although nothing was done in the run, or
 * whose calls could not be parsed. The person sees the unparsed calls beside the verdict until an
 * answer has none.
 */
function describedOnly(run: Run, record: StepRecord): string | undefined {
  if (!mayAct(run)) return undefined;
  const { faults, count } = run.calls;
  const unread = unreadIn(record);
  if (unread !== undefined)
    faults.set(UNREAD, { said: `what begins with ${JSON.stringify(unread)} was not carried out`, takesAway: false }); // prettier-ignore
  else if (record.calls.length > 0) faults.delete(UNREAD);
  const wasTold = run.toldToCall === true;
  const text =
    (count === 0 ? onlyDescribed(record, run.model, wasTold) : undefined) ??
    (unread !== undefined && !wasTold ? tellUnread(unread, run.model) : undefined) ??
    unreadBlocks(run, record) ??
    (run.model.dialect === "artifact" || wasTold
      ? undefined
      : tellFileBlocks(record, run.project.touched));
  if (text !== undefined) run.toldToCall = true;
  return text;
}

/**
 * The message about code blocks that were not carried out, for a model of the artifact dialect,
 * where such blocks count. Once per run.
 */
function unreadBlocks(run: Run, record: StepRecord): string | undefined {
  if (!mayAct(run) || run.model.dialect !== "artifact" || run.toldToCall) return undefined;
  const text = tellBlocks(record);
  if (text !== undefined) run.toldToCall = true;
  return text;
}

/** Key of the fault for calls that could not be parsed. */
const UNREAD = "unread";

/** Emits the model's last answer as the plan. */
function tellPlan(
  { slots }: StepRecord,
  lastWords: LastWords | undefined,
  { run, emit }: RunScope,
): RunEnding {
  const spoken = slots
    .map((slot) => (slot.kind === "text" ? slot.pieces.join("") : ""))
    .join("")
    .trim();
  // Without text in the answer, the plan is in the arguments of `finish`.
  const text = [spoken, lastWords?.done, lastWords?.try].filter(Boolean).join("\n\n");
  if (text !== "") emit({ type: "plan", run, text });
  return {
    outcome: "done",
    ...summaryFields(sentence(text === "" ? "plan-missing" : "plan-made")),
  };
}

/**
 * Adds a note for the model that the person did not write; the model's next text becomes a separate
 * message.
 */
function writeClosing(
  { conversation, model: { model }, scope, budget }: Run,
  kind: "evidence" | "continue",
  text: string,
  picture?: Picture,
): void {
  const { messages, unsaved } = conversation;
  const note = noteMessage(`${scope.run}.note-${budget.steps}`, kind, text);
  if (picture) note.parts.push(...pictureParts(picture, shownTo(model, messages)));
  messages.push(note);
  unsaved.push(note);
  goOnWith(conversation, emptyReply(`${scope.run}.reply-${budget.steps}`, model.id));
}

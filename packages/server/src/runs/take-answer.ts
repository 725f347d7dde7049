import type { Answer, ApprovalQuestion, Author, GivenAnswer } from "@treadle/protocol";
import { isForeignTool } from "@treadle/protocol/tools";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, notFound } from "@treadle/common";
import { policyOf, signApproval } from "./approvals.ts";
import type { ProjectContext } from "../project-context/project-context.ts";

type AnswerContext = Pick<ProjectContext, "id" | "view" | "parts" | "append">;

/**
 * Accepts the person's answer to the open question: signs an approval, stores permanent
 * permissions, and logs both. Resolves when that is durable.
 * @throws ApiFailure 404 if there is no such question, 400 if the answer does not fit, 409
 * `answered` if somebody answered it before, 409 `changed` if it is for something else.
 */
export async function takeAnswer(
  context: AnswerContext,
  id: string,
  given: GivenAnswer,
): Promise<Answer> {
  const { view, parts } = context;
  const by = await parts.author?.();
  // From here to the log nothing is awaited, so that only the first of several answers counts.
  const asked = view.question;
  if (asked?.question.id !== id && view.answered?.question === id) throw answered(view.answered.by);
  if (!asked || asked.question.id !== id) throw notFound("question");
  const { run, question } = asked;
  if (given.kind !== "deny" && (given.kind === "approve") !== (question.kind === "approval"))
    throw new ApiFailure(400, "bad-input", sentence("answer-mismatch"));
  let answer: Answer;
  if (given.kind === "approve" && question.kind === "approval") {
    if (given.digest !== question.digest)
      throw new ApiFailure(409, "changed", sentence("stale", { what: "question" }));
    const always = given.always === true && question.mayRemember;
    answer = {
      kind: "approve",
      signature: signApproval(context, run, question),
      always: always || undefined,
    };
  } else if (given.kind === "deny") {
    const words = given.words?.trim() || undefined;
    answer = { kind: "deny", words };
  } else answer = { kind: "words", text: given.kind === "words" ? given.text : "" };
  context.append({ type: "answer", run, question: id, answer, ...(by && { by }) });
  if (answer.kind === "approve" && answer.always && question.kind === "approval")
    await remember(context, question);
  await parts.store.log.settled();
  return answer;
}

const answered = (by: Author | undefined) =>
  new ApiFailure(
    409,
    "answered",
    by ? sentence("answered-by", { name: by.name }) : sentence("answered-already"),
  );

/**
 * Permanently allows what was asked for, only in this project: this kind with exactly these paths or this command,
 * or a tool of a tool server.
 */
async function remember(
  context: AnswerContext,
  { subject, tool }: ApprovalQuestion,
): Promise<void> {
  // A foreign tool is allowed with its current description; a change is reported (A36).
  if (isForeignTool(tool)) return context.parts.mcp?.allowAsked(context.id, subject.what);
  const policy = policyOf(context);
  context.append({
    type: "approvals-changed",
    policy: { ...policy, always: [...policy.always, subject] },
  });
}

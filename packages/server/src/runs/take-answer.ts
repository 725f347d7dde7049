import type { Answer, ApprovalQuestion } from "@treadle/protocol";
import { isForeignTool } from "@treadle/protocol/tools";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, notFound } from "@treadle/common";
import { policyOf, signApproval } from "./approvals.ts";
import type { ProjectContext } from "../project-context/project-context.ts";

/** The person's answer as received over HTTP; not signed yet. */
export type GivenAnswer =
  /** `digest` identifies what the person saw, which is all that they approve. */
  | { kind: "approve"; digest: string; always?: boolean | undefined }
  | { kind: "deny"; words?: string | undefined }
  | { kind: "words"; text: string };

type AnswerContext = Pick<ProjectContext, "id" | "view" | "parts" | "append">;

/**
 * Accepts the person's answer to the open question: signs an approval, stores permanent
 * permissions, and logs both. Resolves when that is durable.
 * @throws ApiFailure 404 if no such question is open, 400 if the answer does not fit, 409 if it is
 * for something else.
 */
export async function takeAnswer(
  context: AnswerContext,
  id: string,
  given: GivenAnswer,
): Promise<Answer> {
  const { view, parts } = context;
  const asked = view.question;
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
  // Logged at once: an answer from another tab meanwhile is told that the question was answered.
  context.append({ type: "answer", run, question: id, answer });
  if (answer.kind === "approve" && answer.always && question.kind === "approval")
    await remember(context, question);
  await parts.store.log.settled();
  return answer;
}

/** Allows exactly this kind with exactly these paths or this command, only in this project. */
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

import type { Answer, ApprovalQuestion } from "@treadle/protocol";
import { isForeignTool } from "@treadle/protocol/tools";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, notFound } from "@treadle/common";
import { policyOf, signApproval } from "./approvals.ts";
import type { ProjectContext } from "../project-context/project-context.ts";

/** What the person said, as it comes over HTTP: nothing of it is a signature yet. */
export type GivenAnswer =
  /** `digest` is what they were shown: they approve that and nothing else. */
  | { kind: "approve"; digest: string; always?: boolean | undefined }
  | { kind: "deny"; words?: string | undefined }
  | { kind: "words"; text: string };

type AnswerContext = Pick<ProjectContext, "id" | "view" | "parts" | "append">;

/**
 * Takes the person's answer to the question that stands: signs an approval, remembers what is allowed for good, and says
 * both in the log. Resolves when that is durable.
 * @throws ApiFailure 404 where nothing of that id is asked (any more), 400 where it does not fit, 409 where it is of something else.
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
  // At once: whoever answers meanwhile in another tab is told that it was answered.
  context.append({ type: "answer", run, question: id, answer });
  if (answer.kind === "approve" && answer.always && question.kind === "approval")
    await remember(context, question);
  await parts.store.log.settled();
  return answer;
}

/** Exactly this kind with exactly these paths or this command, in this project alone. */
async function remember(
  context: AnswerContext,
  { subject, tool }: ApprovalQuestion,
): Promise<void> {
  // A foreign tool is allowed as it is described; what it was is told when it changes (A36).
  if (isForeignTool(tool)) return context.parts.mcp?.allowAsked(context.id, subject.what);
  const policy = policyOf(context);
  context.append({
    type: "approvals-changed",
    policy: { ...policy, always: [...policy.always, subject] },
  });
}

import type { Question } from "@treadle/protocol";
import { useState } from "react";
import { answerQuestion, type QuestionAnswer } from "../api/approvals.ts";
import { trustOrAsk } from "../mcp/trust-or-ask.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** An open question, which takes over the composer: typed text answers it. */
export interface Answering {
  question: Question;
  busy: boolean;
  problem: string | undefined;
  /** A note for a person who was typing a message when the question appeared: the next Enter sends it as the answer. */
  note: string | undefined;
  answer(reply: QuestionAnswer): void;
  /**
   * Submits the text in the field as an answer, or as the reason for a denial. Does nothing without text, unless the
   * button denies an approval. The first Enter on text begun before the question only shows `note`.
   * @param byEnter whether Enter was pressed rather than the button
   */
  submit(byEnter: boolean): void;
}

/**
 * Answers the open question from the composer.
 * @param text the composer's text
 * @param onAnswered called when the text was sent as the answer
 * @returns undefined if no question is open
 */
export function useAnswer(
  text: string,
  onAnswered: (words: string) => void,
): Answering | undefined {
  const project = useProjectId();
  const question = useView((view) => view.question?.question);
  const { act, busy, problem } = useAct();
  const [asked, setAsked] = useState<{ id: string; begun: boolean; warned: boolean }>();
  const answerText = text.trim();
  // A question that appears while a message is being typed must not receive the Enter meant for the message.
  if (question?.id !== asked?.id)
    setAsked(question && { id: question.id, begun: answerText !== "", warned: false });
  else if (asked?.begun && answerText === "") setAsked({ ...asked, begun: false, warned: false });
  if (!question) return undefined;

  const answer = (reply: QuestionAnswer, by?: string) =>
    void act(async () => {
      const send = () => answerQuestion(project, question.id, reply);
      if (reply.kind !== "approve") await send();
      else {
        const { digest, always } = reply;
        await trustOrAsk(send, project, {
          step: "question",
          question: question.id,
          digest,
          always,
        });
      }
      if (by !== undefined) onAnswered(by);
    });
  const approval = question.kind === "approval";
  return {
    question,
    busy,
    problem,
    note: asked?.warned
      ? approval
        ? words.conversation.typingDeny
        : words.conversation.typingAnswer
      : undefined,
    answer: (reply) => answer(reply),
    submit(byEnter) {
      if (busy || (answerText === "" && (byEnter || !approval))) return;
      if (byEnter && asked?.begun && !asked.warned) return setAsked({ ...asked, warned: true });
      if (approval) answer({ kind: "deny", words: answerText || undefined }, text);
      else answer({ kind: "words", text: answerText }, text);
    },
  };
}

/** The label and the placeholder of the message field. @param asked the open question that it answers */
export function fieldWords(asked: Question | undefined): { label: string; placeholder: string } {
  if (!asked)
    return { label: words.conversation.change, placeholder: words.conversation.changeHint };
  return asked.kind === "approval"
    ? { label: words.conversation.instead, placeholder: words.conversation.insteadHint }
    : { label: words.conversation.yourAnswer, placeholder: words.conversation.answerHint };
}

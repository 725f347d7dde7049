import type { Question } from "@treadle/protocol";
import { useState } from "react";
import { answerQuestion, type GivenAnswer } from "../api/approvals.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** An open question, which takes the composer over: what is typed there answers it. */
export interface Answering {
  question: Question;
  busy: boolean;
  problem: string | undefined;
  /** What a person is told who was in the middle of a message when it came. */
  note: string | undefined;
  answer(given: GivenAnswer): void;
  /** With the words that stand in the field: an answer, or why it is denied. @param byEnter and not by a button of that name */
  submit(byEnter: boolean): void;
}

/**
 * @param text what stands in the composer
 * @param onSaid these words were the answer
 * @returns undefined where nothing is asked
 */
export function useAnswer(text: string, onSaid: (words: string) => void): Answering | undefined {
  const project = useProjectId();
  const question = useView((view) => view.question?.question);
  const { act, busy, problem } = useAct();
  const [asked, setAsked] = useState<{ id: string; begun: boolean; warned: boolean }>();
  const answerText = text.trim();
  // A question that comes while a message is typed must not take the Enter that was meant for the message.
  if (question?.id !== asked?.id)
    setAsked(question && { id: question.id, begun: answerText !== "", warned: false });
  else if (asked?.begun && answerText === "") setAsked({ ...asked, begun: false, warned: false });
  if (!question) return undefined;

  const answer = (given: GivenAnswer, by?: string) =>
    void act(async () => {
      await answerQuestion(project, question.id, given);
      if (by !== undefined) onSaid(by);
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
    answer: (given) => answer(given),
    submit(byEnter) {
      if (busy || (answerText === "" && (byEnter || !approval))) return;
      if (byEnter && asked?.begun && !asked.warned) return setAsked({ ...asked, warned: true });
      if (approval) answer({ kind: "deny", words: answerText || undefined }, text);
      else answer({ kind: "words", text: answerText }, text);
    },
  };
}

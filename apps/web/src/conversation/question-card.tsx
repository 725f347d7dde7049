import type { ApprovalQuestion, Question, WordsQuestion } from "@treadle/protocol";
import { isForeignTool, toolKind } from "@treadle/protocol/tools";
import { useState } from "react";
import type { QuestionAnswer } from "../api/approvals.ts";
import { codedWords } from "../words/coded-words.ts";
import { callOf } from "../fold/select.ts";
import { useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { Hand } from "../ui/icons.ts";
import { AskedSubject, isFolded } from "./asked-subject.tsx";
import { AskedTexts } from "./asked-texts.tsx";
import { CallDetails } from "./call-details.tsx";
import { countNonEmptyLines } from "./fold-command.ts";
import { words } from "../words/words.ts";

/** The question that the run waits for, with the answers that need no text. A text answer is typed below. */
export function QuestionCard({
  question,
  busy,
  onAnswer,
}: {
  question: Question;
  busy: boolean;
  onAnswer: (reply: QuestionAnswer) => void;
}) {
  // The question whose subject was unfolded, and whether it still is. Approval is possible once it has been unfolded.
  const [unfolded, setUnfolded] = useState<{ id: string; isUnfolded: boolean }>();
  const isUnfolded = unfolded?.id === question.id;
  const address = useView((view) =>
    question.kind === "approval" ? callOf(view, question.call)?.input?.["url"] : undefined,
  );
  const what = question.kind === "approval" ? shownSubject(question, address) : [];
  const isUnseen = !isUnfolded && isFolded(what);
  return (
    <div className="border-b border-line px-3 py-2">
      {question.kind === "approval" ? (
        <WhatIsAsked
          question={question}
          what={what}
          isUnfolded={isUnfolded && unfolded.isUnfolded}
          onUnfold={(isUnfolded) => setUnfolded({ id: question.id, isUnfolded })}
        />
      ) : (
        <Words question={question} />
      )}
      {question.kind === "words" && question.choices.length > 0 && (
        <div className="mt-2 flex flex-wrap gap-2">
          {question.choices.map((choice) => (
            <Button
              key={choice}
              disabled={busy}
              className="h-auto! min-h-7 max-w-full py-1 text-left wrap-anywhere whitespace-normal!"
              onClick={() => onAnswer({ kind: "words", text: choice })}
            >
              <bdi>{visibleProse(choice)}</bdi>
            </Button>
          ))}
        </div>
      )}
      {question.kind === "approval" && (
        <div className="mt-2 flex flex-wrap gap-2">
          <Button
            kind="primary"
            disabled={busy || isUnseen}
            title={isUnseen ? words.conversation.approveAfterAll : undefined}
            onClick={() => onAnswer({ kind: "approve", digest: question.digest })}
          >
            {words.conversation.approve}
          </Button>
          {question.mayRemember && (
            <Button
              disabled={busy || isUnseen}
              title={isUnseen ? words.conversation.approveAfterAll : words.conversation.alwaysAbout}
              onClick={() => onAnswer({ kind: "approve", digest: question.digest, always: true })}
            >
              {words.conversation.always}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function WhatIsAsked({
  question,
  what,
  isUnfolded,
  onUnfold,
}: {
  question: ApprovalQuestion;
  what: readonly string[];
  isUnfolded: boolean;
  onUnfold: (isUnfolded: boolean) => void;
}) {
  const call = useView((view) => callOf(view, question.call));
  const detailed = call !== undefined && question.subject.kind !== "command";
  return (
    <>
      <Title>{title(question)}</Title>
      <p className="mt-1 max-h-40 overflow-auto text-small wrap-anywhere text-quiet">
        {visible(codedWords(question.why, question.whyCode))}
      </p>
      <AskedSubject what={what} isUnfolded={isUnfolded} onUnfold={onUnfold} />
      {question.shown && <AskedTexts texts={question.shown} />}
      {detailed && (
        <div className="mt-2 max-h-40 overflow-auto border-l border-line pl-3">
          <CallDetails call={call} withPath={false} />
        </div>
      )}
    </>
  );
}

function Words({ question }: { question: WordsQuestion }) {
  return (
    <>
      <Title>{words.conversation.modelAsks}</Title>
      <p dir="auto" className="mt-1 max-h-40 overflow-auto whitespace-pre-wrap">
        {visibleProse(question.text)}
      </p>
    </>
  );
}

function Title({ children }: { children: string }) {
  return (
    <div role="status">
      <h3 className="flex items-center gap-1.5 font-semibold text-accent">
        <Hand size={16} aria-hidden="true" /> {children}
      </h3>
    </div>
  );
}

/** Whether the tool belongs to a tool server; the subject then shows the server's and the tool's name only. */
const isForeign = ({ tool }: ApprovalQuestion) => isForeignTool(tool);
const isRename = ({ tool }: ApprovalQuestion) => toolKind(tool) === "moves";
function shownSubject(question: ApprovalQuestion, address: unknown): readonly string[] {
  const { kind, what } = question.subject;
  // The complete URL is shown instead of the host; the data sent is in the details.
  if (kind === "outside" && typeof address === "string") return [address];
  if (isForeign(question)) return [what.slice(0, 2).join(": ")];
  return isRename(question) ? what.map((path, at) => (at === 0 ? path : `→ ${path}`)) : what;
}

function title(question: ApprovalQuestion): string {
  if (isForeign(question)) return words.conversation.ask.tool;
  const { subject, tool } = question;
  switch (subject.kind) {
    case "command": {
      const lines = subject.what.reduce((sum, what) => sum + countNonEmptyLines(what), 0);
      return toolKind(tool) === "serves"
        ? words.conversation.ask.serverOf({ lines: Math.max(1, lines) })
        : words.conversation.ask.commandOf({ lines: Math.max(1, lines) });
    }
    case "write":
      return isRename(question) ? words.conversation.ask.rename : words.conversation.ask.change;
    case "remove":
      return words.conversation.ask.remove;
    case "outside":
      return words.conversation.ask.outside;
    case "read":
      return words.conversation.ask.read;
  }
}

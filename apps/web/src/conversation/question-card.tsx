import type { ApprovalQuestion, Question, WordsQuestion } from "@treadle/protocol";
import { isForeignTool, toolKind } from "@treadle/protocol/tools";
import { Hand } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { answerQuestion, type GivenAnswer } from "../api/approvals.ts";
import { callOf } from "../fold/select.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { AskedSubject } from "./asked-subject.tsx";
import { AskedTexts } from "./asked-texts.tsx";
import { CallDetails } from "./call-details.tsx";
import { linesSaid } from "./fold-command.ts";
import { QUESTION, type FocusRests } from "../ui/use-handed-focus.ts";

/**
 * What the run waits for, above the composer: it is answered here, and nothing goes on before.
 * @param rests whether this one may have the focus: that of one before it, which nobody has used since
 */
export function QuestionCard({ rests }: { rests: FocusRests }) {
  const asked = useView((view) => view.question?.question);
  return asked ? <Card key={asked.id} question={asked} rests={rests} /> : null;
}

function Card({ question, rests }: { question: Question; rests: FocusRests }) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (rests()) card.current?.focus({ preventScroll: true });
  }, [rests]);
  const project = useProjectId();
  const { act, busy, problem } = useAct();
  const [words, setWords] = useState("");
  const answer = (given: GivenAnswer) =>
    void act(() => answerQuestion(project, question.id, given));
  const said = words.trim();
  const approval = question.kind === "approval";
  return (
    <section
      ref={card}
      id={QUESTION}
      tabIndex={-1}
      aria-label="A question for you"
      className="group mx-auto w-full max-w-190 shrink-0 px-3 pb-2 outline-none"
    >
      <form
        className="rounded border outline-accent group-focus-visible:outline-2 border-accent bg-raised px-3 py-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (busy || (said === "" && !approval)) return;
          answer(
            approval ? { kind: "deny", words: said || undefined } : { kind: "words", text: said },
          );
        }}
      >
        {approval ? <WhatIsAsked question={question} /> : <Words question={question} />}
        {!approval && question.choices.length > 0 && (
          <div className="mt-2 flex flex-wrap gap-2">
            {question.choices.map((choice) => (
              <Button
                key={choice}
                disabled={busy}
                className="h-auto! min-h-7 max-w-full py-1 text-left wrap-anywhere whitespace-normal!"
                onClick={() => answer({ kind: "words", text: choice })}
              >
                <bdi>{visibleProse(choice)}</bdi>
              </Button>
            ))}
          </div>
        )}
        {approval && (
          <div className="mt-2 flex flex-wrap gap-2">
            <Button
              kind="primary"
              disabled={busy}
              onClick={() => answer({ kind: "approve", digest: question.digest })}
            >
              Approve
            </Button>
            {question.mayRemember && (
              <Button
                disabled={busy}
                title="Exactly this, in this project, without asking again"
                onClick={() => answer({ kind: "approve", digest: question.digest, always: true })}
              >
                Always here
              </Button>
            )}
          </div>
        )}
        <div className="mt-2 flex gap-2">
          <input
            dir="auto"
            aria-label={approval ? "What to do instead" : "Your answer"}
            placeholder={approval ? "Or say what to do instead…" : "Your answer…"}
            value={words}
            onChange={(event) => setWords(event.target.value)}
            // To deny without a word is what the button is for.
            onKeyDown={(event) => event.key === "Enter" && said === "" && event.preventDefault()}
            className="h-7 min-w-0 flex-1 rounded border border-edge bg-paper px-2 text-small pointer-coarse:h-11"
          />
          <Button type="submit" disabled={busy || (!approval && said === "")}>
            {approval ? "Deny" : "Answer"}
          </Button>
        </div>
        {problem && (
          <p role="alert" className="mt-2 text-small text-failed">
            {problem}
          </p>
        )}
      </form>
    </section>
  );
}

function WhatIsAsked({ question }: { question: ApprovalQuestion }) {
  const call = useView((view) => callOf(view, question.call));
  const detailed = call !== undefined && question.subject.kind !== "command";
  return (
    <>
      <Title>{title(question)}</Title>
      <p className="mt-1 max-h-40 overflow-auto text-small wrap-anywhere text-quiet">
        {visible(question.why)}
      </p>
      <AskedSubject what={shownSubject(question)} />
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
      <Title>The model asks</Title>
      <p dir="auto" className="mt-1 max-h-40 overflow-auto whitespace-pre-wrap">
        {visibleProse(question.text)}
      </p>
    </>
  );
}

function Title({ children }: { children: string }) {
  return (
    <h3 role="status" className="flex items-center gap-1.5 font-semibold text-accent">
      <Hand size={16} aria-hidden="true" /> {children}
    </h3>
  );
}

/** Of a foreign tool: its server and its name; what follows them is for machines. */
const isForeign = ({ tool }: ApprovalQuestion) => isForeignTool(tool);
const isRename = ({ tool }: ApprovalQuestion) => toolKind(tool) === "moves";
function shownSubject(question: ApprovalQuestion): readonly string[] {
  const { what } = question.subject;
  if (isForeign(question)) return [what.slice(0, 2).join(": ")];
  return isRename(question) ? what.map((path, at) => (at === 0 ? path : `→ ${path}`)) : what;
}

function title(question: ApprovalQuestion): string {
  if (isForeign(question)) return "Use this tool?";
  const { subject, tool } = question;
  switch (subject.kind) {
    case "command": {
      const lines = subject.what.reduce((sum, what) => sum + linesSaid(what), 0);
      const of = lines > 1 ? ` of ${lines} lines` : "";
      return toolKind(tool) === "serves" ? `Start this server${of}?` : `Run this command${of}?`;
    }
    case "write":
      return isRename(question) ? "Rename this?" : "Change this?";
    case "remove":
      return "Delete this?";
    case "outside":
      return "Reach outside the sandbox?";
    case "read":
      return "Read this?";
  }
}

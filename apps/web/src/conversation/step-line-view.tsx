import { memo, Suspense } from "react";
import { callTitle } from "../fold/call-title.ts";
import { textOf } from "../fold/gathered.ts";
import { linesOfCalls } from "../fold/line-counts.ts";
import type { StepLine } from "../fold/step-lines.ts";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { CallDetails } from "./call-details.tsx";
import { ChangeLink } from "./change-link.tsx";
import { CallLine } from "./call-line.tsx";
import { PicturesRefusedLine } from "./pictures-refused-line.tsx";
import { innerKey, lineName } from "./find-texts.ts";
import { FoundBlock, FoundLine } from "./found-line.tsx";
import { LineCountView } from "../ui/line-count.tsx";
import { LookLine } from "./look-line.tsx";
import { AnswerActions } from "./message-actions.tsx";
import { Markdown } from "./markdown.tsx";
import { Step } from "./step.tsx";
import { ToolsMissingLine } from "./tools-missing-line.tsx";
import { UserMessage } from "./user-message.tsx";
import { words } from "../words/words.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

/** Rarely shown, so loaded lazily. */
const { Part: ProtectedFilesLine } = lazyPart(async () => ({
  default: (await import("./protected-files-line.tsx")).ProtectedFilesLine,
}));

export interface StepLineProps {
  line: StepLine;
  /** The id of the turn's message. */
  message: string;
  /** Whether the text may still grow. */
  streaming: boolean;
  /** Whether this is the latest line. */
  latest: boolean;
  /** Whether its turn has ended. */
  isOver?: boolean;
  /** Whether the card at the end of the turn shows the same result. */
  isInCard?: boolean;
}

/** One line or block of a turn. */
export const StepLineView = memo(
  function StepLineView({
    line,
    message,
    streaming,
    latest,
    isOver = false,
    isInCard = false,
  }: StepLineProps) {
    switch (line.kind) {
      case "text":
        return (
          <FoundBlock className="group/message relative">
            {!streaming && <AnswerActions text={() => textOf(line.item.text)} />}
            <Markdown text={textOf(line.item.text)} streaming={streaming} />
          </FoundBlock>
        );
      case "said":
        return <UserMessage message={line.item.message} text={line.item.text} by={line.item.by} />;
      case "reasoning":
        return (
          <Step title={streaming ? words.conversation.thinking : words.conversation.thought} quiet>
            {() => (
              <p
                dir="auto"
                className="max-h-80 overflow-auto text-small whitespace-pre-wrap text-quiet"
              >
                {visibleProse(textOf(line.item.text))}
              </p>
            )}
          </Step>
        );
      case "call":
        return <CallLine call={line.item} />;
      case "calls":
        return (
          <Step title={line.title} number={<LineCountView lines={linesOfCalls(line.items)} />}>
            {() =>
              line.items.map((call) => (
                <FoundLine key={call.call} name={lineName({ message }, innerKey(call))}>
                  <Step
                    title={callTitle(call) ?? call.path ?? call.tool}
                    action={<ChangeLink path={call.path} lines={call.lines} />}
                    inner
                  >
                    {() => <CallDetails call={call} />}
                  </Step>
                </FoundLine>
              ))
            }
          </Step>
        );
      case "group":
        return (
          <FoundBlock className="pt-1">
            <h3 dir="auto" className="font-semibold">
              {visible(line.item.title)}
            </h3>
          </FoundBlock>
        );
      case "repair":
        return (
          <Step
            title={words.conversation.askedRepair}
            number={words.conversation.of({ one: line.item.attempt, all: line.item.limit })}
            tone="unsure"
          >
            {() => (
              <pre className="max-h-80 overflow-auto font-mono text-small whitespace-pre-wrap">
                {visibleProse(line.item.reason)}
              </pre>
            )}
          </Step>
        );
      case "pictures-refused":
        return <PicturesRefusedLine model={line.item.model} />;
      case "tools-missing":
        return <ToolsMissingLine servers={line.item.servers} />;
      case "protected-files":
        return (
          <Suspense>
            <ProtectedFilesLine item={line.item} />
          </Suspense>
        );
      case "look":
        return (
          <LookLine
            evidence={line.item.evidence}
            last={latest}
            isOver={isOver}
            isInCard={isInCard}
          />
        );
    }
  },
  (before, after) =>
    before.streaming === after.streaming &&
    before.latest === after.latest &&
    before.isOver === after.isOver &&
    before.isInCard === after.isInCard &&
    sameLine(before.line, after.line),
);

/**
 * Whether two lines show the same items. Lines are rebuilt at every render, but unchanged items keep their identity.
 */
function sameLine(a: StepLine, b: StepLine): boolean {
  if (a.kind === "calls" && b.kind === "calls")
    return a.items.length === b.items.length && a.items.every((item, at) => item === b.items[at]);
  return a.kind === b.kind && a.kind !== "calls" && b.kind !== "calls" && a.item === b.item;
}

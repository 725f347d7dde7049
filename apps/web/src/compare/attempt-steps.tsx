import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { lookTitle } from "../conversation/look-title.ts";
import { callTitle } from "../fold/call-title.ts";
import { textOf } from "../fold/gathered.ts";
import { linesOfCalls } from "../fold/line-counts.ts";
import { callWords } from "../fold/phase.ts";
import { codedWords } from "../words/coded-words.ts";
import { stepLines, type StepLine } from "../fold/step-lines.ts";
import type { Turn } from "../fold/types.ts";
import { useView } from "../live/live-context.tsx";
import { LineCountView } from "../ui/line-count.tsx";
import { words } from "../words/words.ts";
import { turnsSince } from "./attempts.ts";

/** Maximum characters of the model's text between two steps. */
const MAX_PROSE_CHARS = 300;

/** The attempt's steps so far, one line each; its own page shows all details. */
export function AttemptSteps({ since }: { since: number }) {
  const turns = useView((view) => view.turns);
  const own = turnsSince({ turns }, since);
  return (
    <div className="space-y-1 px-3 py-2 text-small">
      <h3 className="sr-only">{words.compare.steps}</h3>
      {own.map((turn) => (
        <TurnSteps key={turn.message} turn={turn} />
      ))}
    </div>
  );
}

function TurnSteps({ turn }: { turn: Turn }) {
  const { end } = turn;
  return (
    <>
      <ol className="space-y-1">
        {stepLines(turn.items).map((line, index) => {
          const summary = attemptStep(line);
          return (
            summary && (
              // Lines are only added, and the last may grow. oxlint-disable-next-line
              // react/no-array-index-key
              <li key={index} className="flex items-baseline gap-2">
                <span
                  dir="auto"
                  className={`min-w-0 flex-1 break-words ${summary.failed ? "text-failed" : summary.isProse ? "" : "text-quiet"}`}
                >
                  {summary.text}
                </span>
                <LineCountView lines={summary.lines} />
              </li>
            )
          );
        })}
      </ol>
      {end && (
        <p className="pt-1 break-words">{visibleProse(codedWords(end.summary, end.summaryCode))}</p>
      )}
    </>
  );
}

interface AttemptStep {
  text: string;
  failed?: boolean;
  /** Whether it is the model's own text. */
  isProse?: true;
  lines?: ReturnType<typeof linesOfCalls>;
}

function attemptStep(line: StepLine): AttemptStep | undefined {
  switch (line.kind) {
    case "text": {
      const text = textOf(line.item.text).trim();
      const short = text.length > MAX_PROSE_CHARS ? `${text.slice(0, MAX_PROSE_CHARS)}…` : text;
      return text === "" ? undefined : { text: visibleProse(short), isProse: true };
    }
    case "call": {
      const { status, lines } = line.item;
      const text = visible(callTitle(line.item) ?? callWords(line.item));
      return { text, failed: status === "error", lines };
    }
    case "calls":
      return { text: line.title, lines: linesOfCalls(line.items) };
    case "group":
      return { text: visible(line.item.title), isProse: true };
    case "repair":
      return { text: words.conversation.askedRepair };
    case "look": {
      const { title, failed } = lookTitle(line.item.evidence);
      return { text: title, failed };
    }
    default:
      return undefined;
  }
}

import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { useEffect, useRef } from "react";
import { CircleX, Info, TriangleAlert } from "../ui/icons.ts";
import { Placed } from "../evidence/placed.tsx";
import type { Printed } from "./page-log.ts";
import type { Level } from "./page-messages.ts";
import { words } from "../words/words.ts";

/** Maximum number of lines drawn, the newest. */
const MAX_LINES = 300;

const LOOK: Record<Level, string> = {
  error: "text-failed",
  warn: "text-unsure",
  info: "",
  log: "",
  debug: "text-quiet",
};

/** The page's console output, newest at the end; scrolls along while the reader is at the end. */
export function ConsoleList({
  lines,
  dropped,
  isEmpty,
  onPlace,
}: {
  lines: readonly Printed[];
  dropped: number;
  isEmpty: boolean;
  onPlace: (printed: Printed) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const drawn = lines.slice(-MAX_LINES);
  const last = drawn.at(-1);
  useEffect(() => {
    if (atEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [last]);
  if (lines.length === 0)
    return (
      <p className="p-3 text-small text-quiet">
        {isEmpty ? words.preview.printedNothing : words.preview.nothingFits}
      </p>
    );
  return (
    <div
      ref={box}
      tabIndex={0}
      role="log"
      aria-label={words.preview.printed}
      aria-live="off"
      className="h-full overflow-auto -outline-offset-2"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
    >
      {(dropped > 0 || drawn.length < lines.length) && (
        <p className="px-3 py-1 text-small text-quiet">
          {words.preview.earlier({ amount: lines.length - drawn.length + dropped })}
        </p>
      )}
      <ol className="font-mono text-small">
        {drawn.map((line) => (
          <Line key={line.id} line={line} onPlace={onPlace} />
        ))}
      </ol>
    </div>
  );
}

function Line({ line, onPlace }: { line: Printed; onPlace: (printed: Printed) => void }) {
  const { level, text, count, place, stack } = line;
  const raw = place === undefined ? firstFrame(stack) : undefined;
  return (
    <li className={`flex items-start gap-2 border-b border-line px-3 py-1 ${LOOK[level]}`}>
      <LevelMark level={level} />
      <span className="min-w-0 flex-1 break-words whitespace-pre-wrap">
        <span className="sr-only">{words.preview.levels[level]}: </span>
        {visibleProse(text)}
      </span>
      {count > 1 && (
        <span className="numbers shrink-0 rounded-full bg-hover px-1.5 text-quiet">{count}</span>
      )}
      {place ? (
        <span className="max-w-2/5 shrink-0 text-right text-quiet">
          <Placed>{visible(place)}</Placed>
        </span>
      ) : (
        raw !== undefined && (
          <button
            type="button"
            title={words.preview.findLine}
            onClick={() => onPlace(line)}
            className="max-w-2/5 shrink-0 truncate rounded text-quiet underline decoration-line underline-offset-2 hover:text-accent"
          >
            {visible(raw)}
          </button>
        )
      )}
    </li>
  );
}

function LevelMark({ level }: { level: Level }) {
  const props = { size: 14, "aria-hidden": true, className: "mt-0.5 shrink-0" } as const;
  if (level === "error") return <CircleX {...props} />;
  if (level === "warn") return <TriangleAlert {...props} />;
  if (level === "info") return <Info {...props} />;
  return <span className="w-3.5 shrink-0" />;
}

/**
 * The browser's location for a console line: the first stack frame outside the probe's script and the dependencies.
 * Undefined if there is none.
 */
function firstFrame(stack: string): string | undefined {
  for (const [, path, line] of stack.matchAll(
    /https?:\/\/[^/\s]{1,300}(\/[^\s?():]{0,2000})(?:\?[^\s:()]{0,2000})?:(\d+):\d+/g,
  ))
    if (path !== undefined && !path.startsWith("/__treadle/") && !path.includes("node_modules"))
      return `${path.slice(path.lastIndexOf("/") + 1) || "/"}:${line}`;
  return undefined;
}

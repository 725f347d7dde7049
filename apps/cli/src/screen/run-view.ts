import { styleText } from "node:util";
import type { LogEntry } from "@treadle/protocol";
import { EVIDENCE_PARTS, type Evidence, type PartState } from "@treadle/protocol/evidence";
import { duration, money } from "../terminal/figures.ts";
import { jsonLine } from "../terminal/json-line.ts";
import { narrate } from "../terminal/narrate.ts";
import { isLive } from "./is-live.ts";
import { createLiveBlock } from "./live-block.ts";
import { createProgress, type Progress } from "./progress.ts";

/** Shows a run while it is active. */
export interface RunView {
  entry(entry: LogEntry): void;
  /** Prints a line besides the run's output; undefined if nothing is drawn. */
  readonly line: ((text: string) => void) | undefined;
  /** Removes the drawing while a person types. */
  pause(): void;
  resume(): void;
  end(): void;
}

const EVERY_MS = 1000;
const NOTHING = () => {};

/**
 * In a terminal: events line by line, and below them two lines that are redrawn, with the current step, its action and
 * duration, the findings and the cost. In a pipe: the lines alone. With JSON: one log entry per line.
 */
export function runView(output: NodeJS.WriteStream, { json }: { json: boolean }): RunView {
  const still = { line: undefined, pause: NOTHING, resume: NOTHING, end: NOTHING };
  if (json) return { ...still, entry: (entry) => output.write(jsonLine(entry)) };
  const describe = ({ event }: LogEntry) => narrate(event, performance.now());
  if (!isLive(output, process.env))
    return { ...still, entry: (entry) => output.write(describe(entry)) };
  const block = createLiveBlock(output);
  const progress = createProgress();
  const since = Date.now();
  const paint: Paint = (format, text) => styleText(format, text, { stream: output });
  const draw = () => block.show(statusLines(progress, Date.now() - since, paint));
  const timer = setInterval(draw, EVERY_MS);
  draw();
  const end = () => {
    clearInterval(timer);
    block.end();
  };
  return {
    line: (text) => block.print(`${text}\n`),
    entry(entry) {
      progress.add(entry);
      // The final line stays below everything else.
      if (entry.event.type === "run-end") {
        end();
        output.write(describe(entry));
        return;
      }
      block.print(describe(entry));
      draw();
    },
    pause: block.pause,
    resume: block.resume,
    end,
  };
}

type Paint = (format: "dim" | "green" | "red", text: string) => string;

const MARK: Record<PartState, string> = {
  untried: "·",
  going: "…",
  held: "✓",
  failed: "×",
  inapplicable: "–",
};

/** The current action, the findings and the usage so far. @param ms milliseconds since the run was requested */
export function statusLines(
  { steps, doing, usage, evidence }: Pick<Progress, "steps" | "doing" | "usage" | "evidence">,
  ms: number,
  paint: Paint,
): string[] {
  const step = steps === 0 ? [] : [`step ${steps}`];
  const tokens = usage.inputTokens + usage.outputTokens;
  const used = [
    ...(tokens === 0 ? [] : [`${tokens.toLocaleString("en")} tokens`]),
    ...(usage.costUsd === undefined ? [] : [money(usage.costUsd)]),
  ];
  const seen = evidence ? [partsOf(evidence, paint)] : [];
  const second = [...seen, ...(used.length === 0 ? [] : [paint("dim", used.join(" · "))])];
  return [
    paint("dim", [...step, doing, duration(ms)].join(" · ")),
    ...(second.length === 0 ? [] : [second.join("   ")]),
  ];
}

function partsOf({ parts }: Evidence, paint: Paint): string {
  return EVIDENCE_PARTS.map((part) => {
    const { state } = parts[part];
    const text = `${MARK[state]} ${part}`;
    if (state === "held") return paint("green", text);
    return state === "failed" ? paint("red", text) : paint("dim", text);
  }).join("  ");
}

import type { ComparedAttempt, Comparison, LogEntry } from "@treadle/protocol";
import { duration, money } from "../terminal/figures.ts";
import { jsonLine } from "../terminal/json-line.ts";
import { narrate, VERDICT } from "../terminal/narrate.ts";
import { plain } from "../terminal/plain.ts";
import { cells, padded } from "../screen/cells.ts";
import { createLiveBlock, type Screen } from "../screen/live-block.ts";
import { isLive } from "../screen/is-live.ts";
import type { FollowedAttempt } from "./follow-attempt.ts";

/** Shows the state of a comparison's attempts. */
export interface AttemptsView {
  /** Call when an attempt has changed. */
  attempts(comparison: Comparison): void;
  entry(number: number, entry: LogEntry): void;
  /** Prints a line above the drawing; undefined if nothing is drawn. */
  readonly line: ((text: string) => void) | undefined;
  /** Removes the drawing while a person types. */
  pause(): void;
  resume(): void;
  end(): void;
}

/** Maximum length of an attempt's shown action. */
const DOING = 60;
const EVERY_MS = 1000;

/**
 * In a terminal, draws a line for each attempt; in a pipe, prints a line with the attempt's number
 * for each event; for programs, a JSON line.
 */
export function attemptsView(
  output: NodeJS.WriteStream,
  { json, followed }: { json: boolean; followed: ReadonlyMap<number, FollowedAttempt> },
): AttemptsView {
  if (json) return jsonView(output);
  return isLive(output, process.env) ? liveView(output, followed) : plainView(output);
}

const NOTHING = () => {};
const STILL = { line: undefined, pause: NOTHING, resume: NOTHING, end: NOTHING };

function jsonView(output: NodeJS.WritableStream): AttemptsView {
  const messages = new Map<number, string>();
  return {
    attempts(comparison) {
      for (const attempt of comparison.attempts) {
        if (messages.get(attempt.number) === attempt.state) continue;
        messages.set(attempt.number, attempt.state);
        output.write(jsonLine({ type: "attempt", ...attempt }));
      }
    },
    entry: (attempt, entry) => output.write(jsonLine({ attempt, ...entry })),
    ...STILL,
  };
}

function plainView(output: NodeJS.WritableStream): AttemptsView {
  const messages = new Map<number, string>();
  return {
    attempts({ attempts }) {
      for (const { number, model, state, problem } of attempts) {
        if (messages.get(number) === state) continue;
        messages.set(number, state);
        const words = state === "failed" ? `could not start: ${problem ?? ""}` : BEGUN[state];
        if (words) output.write(`[${number}] ${plain(model)} ${plain(words)}\n`);
      }
    },
    entry(number, { event }) {
      // Interleaved texts of several models are unreadable; each attempt's page shows its own.
      if (event.type === "text") return;
      for (const line of narrate(event).split("\n"))
        if (line.trim() !== "") output.write(`[${number}] ${line.trim()}\n`);
    },
    ...STILL,
  };
}

const BEGUN: Partial<Record<ComparedAttempt["state"], string>> = {
  going: "begins",
  stopped: "was stopped before it started",
};

function liveView(output: Screen, followed: ReadonlyMap<number, FollowedAttempt>): AttemptsView {
  const block = createLiveBlock(output);
  let attempts: readonly ComparedAttempt[] = [];
  const draw = () => block.show(linesOf(attempts, followed, Date.now()));
  const timer = setInterval(draw, EVERY_MS);
  return {
    attempts(comparison) {
      attempts = comparison.attempts;
      draw();
    },
    entry: NOTHING,
    line: (text) => block.print(`${text}\n`),
    pause: block.pause,
    resume: block.resume,
    end() {
      clearInterval(timer);
      block.end();
    },
  };
}

/**
 * A line for each attempt.
 * @param now in milliseconds, as `Date.now`
 */
export function linesOf(
  attempts: readonly ComparedAttempt[],
  followed: ReadonlyMap<number, Pick<FollowedAttempt, "progress" | "since">>,
  now: number,
): string[] {
  const width = Math.max(0, ...attempts.map(({ model }) => cells(plain(model))));
  return attempts.map(({ number, model, state, problem, result }) => {
    const first = `${number}  ${padded(plain(model), width)}  `;
    const live = followed.get(number);
    if (result) {
      const word = result.verdict ? VERDICT[result.verdict] : "Ended";
      return first + [word, duration(result.ms), ...costOf(result.usage.costUsd)].join(" · ");
    }
    if (state === "failed") return `${first}${plain(problem ?? "failed")}`;
    if (!live || state === "waiting" || state === "stopped" || state === "making")
      return first + WORDS[state];
    const { steps, doing, usage } = live.progress;
    return (
      first +
      [
        `step ${steps}`,
        doing.slice(0, DOING),
        duration(now - live.since),
        ...costOf(usage.costUsd),
      ].join(" · ")
    );
  });
}

const WORDS = {
  waiting: "waits for its turn",
  making: "beginning",
  going: "beginning",
  over: "ended",
  stopped: "stopped",
} as const;

const costOf = (usd: number | undefined) => (usd === undefined ? [] : [money(usd)]);

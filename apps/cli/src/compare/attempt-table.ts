import type { ComparedAttempt } from "@treadle/protocol";
import { duration, money } from "../terminal/figures.ts";
import { ENDED, VERDICT } from "../terminal/narrate.ts";
import { plain } from "../terminal/plain.ts";
import { cells, padded } from "../screen/cells.ts";

const HEAD = ["", "model", "verdict", "checks", "cost", "time", "size"];

/**
 * A table of the attempts, one line each.
 * @param winner the number of the chosen attempt
 */
export function attemptTable(attempts: readonly ComparedAttempt[], winner?: number): string {
  const rows = [HEAD, ...attempts.map((attempt) => rowOf(attempt, attempt.number === winner))];
  const widths = HEAD.map((_, n) => Math.max(...rows.map((row) => cells(row[n]!))));
  return rows
    .map((row) => `${row.map((cell, n) => padded(cell, widths[n]!)).join("  ")}`.trimEnd())
    .map((line) => `${line}\n`)
    .join("");
}

function rowOf({ number, model, state, problem, result }: ComparedAttempt, won: boolean): string[] {
  const first = [`${won ? "→" : " "} ${number}`, plain(model)];
  if (!result) return [...first, problem ? plain(problem) : STATE[state], "", "", "", ""];
  const { verdict, outcome, checks, usage, ms, files, lines } = result;
  return [
    ...first,
    wordOf(outcome, verdict),
    checks ? `${checks.held}/${checks.all}` : "–",
    usage.costUsd === undefined ? "?" : money(usage.costUsd),
    duration(ms),
    `${files} ${files === 1 ? "file" : "files"}, +${lines.added} −${lines.removed}`,
  ];
}

const STATE = {
  waiting: "not begun",
  making: "not begun",
  going: "stopped",
  over: "nothing made",
  stopped: "stopped",
  failed: "not begun",
} as const satisfies Record<ComparedAttempt["state"], string>;

/** The attempt's result, with the reason if it was interrupted. */
function wordOf(
  outcome: NonNullable<ComparedAttempt["result"]>["outcome"],
  verdict: NonNullable<ComparedAttempt["result"]>["verdict"],
): string {
  if (outcome === "done") return verdict ? VERDICT[verdict] : "Nothing changed";
  return verdict ? `${VERDICT[verdict]} (${ENDED[outcome].toLowerCase()})` : ENDED[outcome];
}

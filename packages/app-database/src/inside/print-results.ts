import type { Result } from "./types.ts";

/** Maximum length of one printed value. */
const CELL = 500;

/** Formats the results of statements for the model and people. */
export function printResults(results: readonly Result[]): string {
  if (results.length === 0) return "There was no statement in it.";
  return results.map(printResult).join("\n\n");
}

function printResult(result: Result): string {
  if ("changed" in result)
    return result.changed === undefined ? "Done." : `${count(result.changed, "row")} changed.`;
  const { columns, rows, more } = result;
  const lines = rows.map((row) => row.map(printCell).join(" | "));
  const total = more ? `the first ${count(rows.length, "row")}` : count(rows.length, "row");
  return [columns.join(" | "), ...lines, `(${total})`].join("\n");
}

function printCell(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (value instanceof Uint8Array) return `<${value.length} bytes>`;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const line = text.replaceAll("\n", "\\n");
  return line.length > CELL ? `${line.slice(0, CELL)}… (${line.length} characters)` : line;
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;

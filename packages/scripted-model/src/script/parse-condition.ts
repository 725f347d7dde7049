import { ScriptError } from "./errors.ts";
import type { Condition, Subject, WireName } from "./types.ts";

const SUBJECTS: readonly Subject[] = [
  "news",
  "result",
  "message",
  "prompt",
  "system",
  "conversation",
];
const WIRES: readonly WireName[] = ["anthropic", "openai-responses", "openai-chat"];

/**
 * Parses the condition after `when:`. `turn 2`, `turn 3+`, `attempt 1`, `tools`, `pictures`, `wire
 * anthropic`, or a subject and a pattern for its text: plain words in any case (`news react-doom`),
 * or a regular expression (`result /exit(ed)? with [1-9]/`). `not` before any of them negates it.
 * @throws ScriptError
 */
export function parseCondition(text: string, line: number): Condition {
  const not = /^not\s+/.test(text);
  const rest = not ? text.replace(/^not\s+/, "") : text;
  const [subject = "", ...words] = rest.split(/\s+/);
  const value = rest.slice(subject.length).trim();

  if ((subject === "tools" || subject === "pictures") && words.length === 0)
    return { type: subject, not };
  if (subject === "turn" || subject === "attempt") {
    const match = /^(\d+)(\+?)$/.exec(value);
    if (match === null) throw new ScriptError(`"${subject}" takes a number, as "2" or "2+".`, line);
    return { type: subject, number: Number(match[1]), orLater: match[2] === "+", not };
  }
  if (subject === "wire") {
    const wire = WIRES.find((name) => name === value);
    if (wire === undefined) throw new ScriptError(`A wire is one of ${WIRES.join(", ")}.`, line);
    return { type: "wire", wire, not };
  }
  const known = SUBJECTS.find((name) => name === subject);
  if (known === undefined || value === "") {
    throw new ScriptError(`"${text}" is not a condition; say for example "news react-doom".`, line);
  }
  return { type: "text", subject: known, pattern: parsePattern(value, line), not };
}

function parsePattern(value: string, line: number): string | RegExp {
  const match = /^\/(.+)\/([a-z]*)$/.exec(value);
  if (match === null) return value.toLowerCase();
  try {
    // Neither g nor y: a stateful pattern would match differently the second time.
    return new RegExp(match[1] ?? "", (match[2] ?? "").replace(/[gy]/g, ""));
  } catch {
    throw new ScriptError(`${value} is not a regular expression.`, line);
  }
}

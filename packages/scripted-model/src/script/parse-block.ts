import { ScriptError } from "./errors.ts";
import { BREAKS, REFUSALS, type Fault, type Part } from "./types.ts";

/**
 * Parses one fenced block.
 * `call TOOL`: lines `name: value`, where a value is text, JSON, or `@path` for the content of a
 * file beside the script; blocks of `<<<<<<<`, `=======`, `>>>>>>>` become `edits`. `raw-call
 * TOOL`: the body is sent as the arguments. `think`: the body is sent as reasoning. `fault KIND`:
 * lines `retry-after`, `status`, `message`, `after`, `after-bytes`.
 * @throws ScriptError with the line
 */
export function parseBlock(
  info: string,
  body: string[],
  line: number,
  readFile: (path: string) => string,
): Part {
  const [type, name] = info.split(/\s+/);
  if (type === "think") return { type, text: body.join("\n") };
  if (name === undefined) throw new ScriptError(`"${info}" needs a name after it.`, line);
  if (type === "raw-call") return { type, tool: name, json: body.join("\n") };
  if (type === "call") return { type, tool: name, input: parseInput(body, line, readFile) };
  return { type: "fault", fault: parseFault(name, body, line) };
}

function parseInput(
  body: string[],
  line: number,
  readFile: (path: string) => string,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const edits: { old: string; new: string }[] = [];
  let edit: { old: string[]; new: string[]; into: "old" | "new" } | undefined;

  for (const [index, text] of body.entries()) {
    if (edit === undefined) {
      if (text === "<<<<<<<") edit = { old: [], new: [], into: "old" };
      else if (text.trim() !== "") readField(text, input, line + index + 1, readFile);
    } else if (text === "=======" && edit.into === "old") {
      edit.into = "new";
    } else if (text === ">>>>>>>" && edit.into === "new") {
      edits.push({ old: edit.old.join("\n"), new: edit.new.join("\n") });
      edit = undefined;
    } else {
      edit[edit.into].push(text);
    }
  }
  if (edit !== undefined) throw new ScriptError("An edit is not closed with >>>>>>>.", line);
  if (edits.length > 0) input["edits"] = edits;
  return input;
}

function readField(
  text: string,
  input: Record<string, unknown>,
  line: number,
  readFile: (path: string) => string,
): void {
  const match = /^([A-Za-z_]\w*):\s*(.*)$/.exec(text);
  if (match === null) throw new ScriptError(`"${text}" is not "name: value".`, line);
  const [, name = "", value = ""] = match;
  if (!value.startsWith("@")) {
    input[name] = jsonOrText(value);
    return;
  }
  try {
    input[name] = readFile(value.slice(1));
  } catch (error) {
    throw new ScriptError(
      `${value.slice(1)}: ${error instanceof Error ? error.message : "unreadable"}`,
      line,
    );
  }
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function parseFault(kind: string, body: string[], line: number): Fault {
  const known = [...REFUSALS, ...BREAKS].find((name) => name === kind);
  if (known === undefined) {
    throw new ScriptError(`A fault is one of ${[...REFUSALS, ...BREAKS].join(", ")}.`, line);
  }
  const fault: Fault = { kind: known };
  for (const [index, text] of body.entries()) {
    if (text.trim() === "") continue;
    const [, name, value = ""] = /^([a-z-]+):\s*(.*)$/.exec(text) ?? [];
    if (name === "message") fault.message = value;
    else if (name === "retry-after" && isCount(value)) fault.retryAfter = Number(value);
    else if (name === "status" && isCount(value)) fault.status = Number(value);
    else if (name === "after" && isCount(value)) fault.after = Number(value);
    else if (name === "after-bytes" && isCount(value)) fault.afterBytes = Number(value);
    else throw new ScriptError(`"${text}" is not a setting of a fault.`, line + index + 1);
  }
  return fault;
}

function isCount(value: string): boolean {
  return /^\d+(\.\d+)?$/.test(value);
}

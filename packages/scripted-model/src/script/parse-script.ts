import { ScriptError } from "./errors.ts";
import { parseBlock } from "./parse-block.ts";
import { parseCondition } from "./parse-condition.ts";
import type { Part, Script, Step } from "./types.ts";

export interface ParseOptions {
  name: string;
  /** Reads a file named with `@`, relative to the script. */
  readFile: (path: string) => string;
}

/**
 * Parses a script: Markdown, in which each `## heading` begins a step.
 * Lines `when: …` under the heading are its conditions (see `parseCondition`). Prose is sent as
 * text. Fenced blocks whose first word is `call`, `raw-call`, `think` or `fault` are special (see
 * `parseBlock`); other fences are prose. The step `## otherwise` answers requests without another
 * step. Text before the first step is a comment.
 * @throws ScriptError with the line
 */
export function parseScript(text: string, options: ParseOptions): Script {
  const steps: Step[] = [];
  let otherwise: Part[] | undefined;
  let step: Step | undefined;
  let prose: string[] = [];
  let fence: { mark: string; info: string; line: number; body: string[] } | undefined;

  const endProse = (): void => {
    const text = prose.join("\n").trim();
    prose = [];
    if (text !== "") step?.parts.push({ type: "say", text });
  };

  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    if (fence !== undefined) {
      if (line.trimEnd() !== fence.mark) {
        fence.body.push(line);
        continue;
      }
      step?.parts.push(parseBlock(fence.info, fence.body, fence.line, options.readFile));
      fence = undefined;
      continue;
    }
    const heading = /^## +(.+?)\s*$/.exec(line);
    if (heading !== null) {
      endProse();
      step = { name: heading[1] ?? "", when: [], parts: [] };
      if (step.name === "otherwise") otherwise = step.parts;
      else steps.push(step);
      continue;
    }
    if (step === undefined) continue;
    const opened = /^(`{3,}|~{3,})((?:call|raw-call|think|fault)\b.*)$/.exec(line);
    if (opened !== null) {
      endProse();
      fence = { mark: opened[1] ?? "", info: (opened[2] ?? "").trim(), line: number, body: [] };
      continue;
    }
    const condition = /^when:\s*(.+?)\s*$/.exec(line);
    if (condition !== null && step.parts.length === 0 && prose.join("").trim() === "") {
      step.when.push(parseCondition(condition[1] ?? "", number));
      continue;
    }
    prose.push(line);
  }
  if (fence !== undefined)
    throw new ScriptError(`The block "${fence.info}" is not closed.`, fence.line);
  endProse();
  if (steps.length === 0)
    throw new ScriptError(`"${options.name}" has no steps: each begins with "## ".`);
  return otherwise === undefined
    ? { name: options.name, steps }
    : { name: options.name, steps, otherwise };
}

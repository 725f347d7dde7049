import "./quiet.ts";
import type { Usage } from "@treadle/protocol";
import { streamText } from "ai";
import { usageOf } from "../budget/budget.ts";
import type { Model } from "../ports/model.ts";
import { fence } from "../text/fence.ts";
import { prose } from "../text/prose.ts";
import { classifyError } from "./errors/classify.ts";
import { EnhanceError } from "./enhance-prompt.ts";

const INSTRUCTIONS = prose(new URL("./complete-code.md", import.meta.url));

/** Maximum tokens of an answer; includes room for a model that thinks first. */
const TOKENS = 800;
/** Time limit in milliseconds: the text has usually changed by then. */
const LATEST_MS = 10_000;
const LINES = 12;

/** Text around a cursor. */
export interface CodeAround {
  path: string;
  before: string;
  after: string;
}

/**
 * Asks a model what a person would type next, in one call; `text` is empty if it suggests nothing. Throws EnhanceError
 * if the model fails, and the signal's reason when aborted.
 */
export async function completeCode(
  model: Model,
  around: CodeAround,
  signal: AbortSignal,
): Promise<{ text: string; usage: Usage }> {
  try {
    const { stream, usage } = streamText({
      model: model.languageModel,
      instructions: INSTRUCTIONS,
      prompt: [
        `File: ${around.path}`,
        fence("before", around.before),
        fence("after", around.after),
      ].join("\n"),
      maxOutputTokens: TOKENS,
      maxRetries: 0,
      temperature: model.takesTemperature ? 0 : undefined,
      providerOptions: { openai: { store: false } },
      abortSignal: AbortSignal.any([signal, AbortSignal.timeout(LATEST_MS)]),
      onError: () => {},
    });
    let text = "";
    for await (const part of stream) {
      if (part.type === "error") throw part.error;
      if (part.type === "abort") throw new Error(`it did not answer within ${LATEST_MS / 1000} s`);
      if (part.type === "text-delta") text += part.text;
    }
    return { text: plainCompletion(text, around), usage: usageOf(await usage, model.price) };
  } catch (error) {
    signal.throwIfAborted();
    throw new EnhanceError(
      classifyError(error, model.providerName ?? model.id, false, model.hasAddress),
    );
  }
}

/** The text that a model's answer adds: without thoughts, fences, and text that is already at the cursor. */
export function plainCompletion(
  answer: string,
  { before, after }: Omit<CodeAround, "path">,
): string {
  let text = answer.replace(/^[\s\S]*<\/think(?:ing)?>\s*/i, "");
  const fenced = /^\s*```[^\n]*\n([\s\S]*?)\n?```\s*$/.exec(text);
  if (fenced) text = fenced[1]!;
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (line.trim() !== "" && text.trimStart().startsWith(line.trimStart()))
    text = text.trimStart().slice(line.trimStart().length);
  text = text.split("\n").slice(0, LINES).join("\n").trimEnd();
  // The rest of the line already exists, such as a bracket that the editor closed.
  const rest = after.slice(0, (after + "\n").indexOf("\n")).trimEnd();
  if (rest !== "" && text.endsWith(rest)) text = text.slice(0, -rest.length);
  return text.trim() === "" ? "" : text;
}

import type {
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { MockLanguageModelV4 } from "ai/test";

/** A model's answer to one request; it may depend on the request. */
export type ScriptedAnswer =
  | LanguageModelV4StreamPart[]
  | ((
      asked: LanguageModelV4CallOptions,
    ) => LanguageModelV4StreamPart[] | ReadableStream<LanguageModelV4StreamPart>);

const USAGE: LanguageModelV4Usage = {
  inputTokens: { total: 100, noCache: 60, cacheRead: 40, cacheWrite: undefined },
  outputTokens: { total: 10, text: 10, reasoning: undefined },
};

let ids = 0;

export function textParts(text: string): LanguageModelV4StreamPart[] {
  const id = `t${++ids}`;
  const pieces = text.match(/[^]{1,7}/g) ?? [];
  return [
    { type: "text-start", id },
    ...pieces.map((delta): LanguageModelV4StreamPart => ({ type: "text-delta", id, delta })),
    { type: "text-end", id },
  ];
}

/** A tool call whose arguments arrive in pieces of a few characters. */
export function call(toolName: string, input: unknown, piece = 9): LanguageModelV4StreamPart[] {
  return rawCall(toolName, JSON.stringify(input), piece);
}

export function rawCall(toolName: string, json: string, piece = 9): LanguageModelV4StreamPart[] {
  const id = `call-${++ids}`;
  const pieces = json.match(new RegExp(`[^]{1,${piece}}`, "g")) ?? [];
  return [
    { type: "tool-input-start", id, toolName },
    ...pieces.map((delta): LanguageModelV4StreamPart => ({ type: "tool-input-delta", id, delta })),
    { type: "tool-input-end", id },
    { type: "tool-call", toolCallId: id, toolName, input: json },
  ];
}

export function finish(
  unified: "stop" | "tool-calls" | "length" | "content-filter" = "stop",
): LanguageModelV4StreamPart[] {
  return [{ type: "finish", finishReason: { unified, raw: unified }, usage: USAGE }];
}

/** A complete answer: text, then calls, then the finish reason. */
export function answer(
  text: string,
  ...calls: LanguageModelV4StreamPart[][]
): LanguageModelV4StreamPart[] {
  return [
    ...(text ? textParts(text) : []),
    ...calls.flat(),
    ...finish(calls.length > 0 ? "tool-calls" : "stop"),
  ];
}

/** A stream that sends these parts and then ends, hangs or breaks, according to `after`. */
export function streamOf(
  parts: LanguageModelV4StreamPart[],
  after: "end" | "hang" | Error = "end",
): ReadableStream<LanguageModelV4StreamPart> {
  let index = 0;
  return new ReadableStream({
    pull(controller) {
      const part = parts[index++];
      if (part) controller.enqueue(part);
      else if (after === "end") controller.close();
      else if (after !== "hang") controller.error(after);
    },
  });
}

/** A model that gives these answers in order, and afterwards says that it is done. Errors are thrown. */
export function scriptedModel(...answers: (ScriptedAnswer | Error)[]): MockLanguageModelV4 {
  let asked = 0;
  return new MockLanguageModelV4({
    doStream: async (options) => {
      const next = answers[asked++] ?? answer("Done.");
      if (next instanceof Error) throw next;
      const made = typeof next === "function" ? next(options) : next;
      return { stream: Array.isArray(made) ? streamOf(made) : made };
    },
  });
}

/** The messages that the model received, as one text. */
export function toldText({ prompt }: LanguageModelV4CallOptions): string {
  return JSON.stringify(prompt.filter(({ role }) => role !== "system"));
}

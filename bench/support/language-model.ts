import type { Model } from "@treadle/agent";

export type LanguageModel = Model["languageModel"];
export type Asked = Parameters<LanguageModel["doStream"]>[0];
export type StreamPart =
  Awaited<ReturnType<LanguageModel["doStream"]>>["stream"] extends ReadableStream<infer Part>
    ? Part
    : never;

/** A model in this process with answers from `answer`. */
export function modelOf(answer: (asked: Asked) => ReadableStream<StreamPart>): LanguageModel {
  return {
    specificationVersion: "v4",
    provider: "bench",
    modelId: "bench",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("The loop streams.")),
    doStream: async (asked) => ({ stream: answer(asked) }),
  };
}

/** All parts at once. */
export function atOnce(parts: StreamPart[]): ReadableStream<StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

export function textParts(id: string, pieces: string[]): StreamPart[] {
  return [
    { type: "text-start", id },
    ...pieces.map((delta): StreamPart => ({ type: "text-delta", id, delta })),
    { type: "text-end", id },
  ];
}

export function finishPart(unified: "stop" | "tool-calls" | "length"): StreamPart {
  const inputTokens = {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  };
  const outputTokens = { total: undefined, text: undefined, reasoning: undefined };
  return {
    type: "finish",
    finishReason: { unified, raw: unified },
    usage: { inputTokens, outputTokens },
  };
}

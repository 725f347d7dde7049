import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { createAnswerLimit } from "./limit-answer.ts";
import { ANSWER_CHARS } from "./limits.ts";

/** The number of such parts that an answer may have. */
function taken(part: LanguageModelV4StreamPart): number {
  const limit = createAnswerLimit();
  let count = 0;
  while (count < 1_000 && limit(part, () => {})) count++;
  return count;
}

const half = "x".repeat(ANSWER_CHARS / 2 - 1_000);

it.each<[what: string, part: LanguageModelV4StreamPart]>([
  ["words", { type: "text-delta", id: "t", delta: half }],
  ["thoughts", { type: "reasoning-delta", id: "r", delta: half }],
  [
    "signatures of thoughts",
    { type: "reasoning-end", id: "r", providerMetadata: { google: { thoughtSignature: half } } },
  ],
  ["pictures", { type: "file", mediaType: "image/png", data: { type: "data", data: half } }],
])("an answer ends that has too much of %s", (_what, part) => expect(taken(part)).toBe(2));

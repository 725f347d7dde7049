import { describe, expect, it } from "vitest";
import { answer, scriptedModel, toldText } from "../testing/scripted-model.test-support.ts";
import type { Model } from "../ports/model.ts";
import { completeCode, plainCompletion } from "./complete-code.ts";
import { EnhanceError } from "./enhance-prompt.ts";

const modelOf = (languageModel: Model["languageModel"]): Model => ({
  id: "x:y",
  languageModel,
  dialect: "native",
  takesTemperature: true,
  price: { input: 1, cachedInput: 1, cacheWrite: 1, output: 1 },
});
const around = { path: "src/a.ts", before: "const a = ", after: ";\n" };

it("sends the model the text around the cursor, and reports the cost", async () => {
  let prompt = "";
  const { text, usage } = await completeCode(
    modelOf(
      scriptedModel((asked) => {
        prompt = toldText(asked);
        return answer("sum(1, 2)");
      }),
    ),
    around,
    new AbortController().signal,
  );
  expect(text).toBe("sum(1, 2)");
  expect(prompt).toContain("src/a.ts");
  expect(prompt).toContain("const a = ");
  expect(usage.outputTokens).toBeGreaterThan(0);
  expect(usage.costUsd).toBeGreaterThan(0);
});

it("says why the model failed", async () => {
  const failing = scriptedModel(() => {
    throw new Error("ECONNREFUSED");
  });
  await expect(
    completeCode(modelOf(failing), around, new AbortController().signal),
  ).rejects.toBeInstanceOf(EnhanceError);
});

describe("of an answer is left", () => {
  it.each([
    ["what is typed on", "sum(1, 2)", "const a = ", "", "sum(1, 2)"],
    ["what a fence holds", "```ts\nsum(1, 2)\n```", "const a = ", "", "sum(1, 2)"],
    ["what comes after thoughts", "<think>hm</think>\nsum()", "const a = ", "", "sum()"],
    ["what the line does not have yet", "const a = sum()", "const a = ", "", "sum()"],
    ["what is not closed yet", "1, 2);", "sum(", ");", "1, 2"],
    ["lines that are needed", "\n  return a;\n}", "function f() {", "", "\n  return a;\n}"],
    ["nothing where nothing was said", "  \n", "a", "", ""],
    ["twelve lines", "x\n".repeat(40), "", "", "x\n".repeat(12).trimEnd()],
  ])("%s", (_, message, before, after, left) => {
    expect(plainCompletion(message, { before, after })).toBe(left);
  });
});

import { expect, it } from "vitest";
import { sentence } from "./sentence.ts";

it("a missing model is explained with what the terminal offers, not with what the page offers", () => {
  const error = Object.assign(new Error("Type a key under “Choose a model”."), {
    code: "model-missing",
  });
  expect(sentence(error)).toMatch(/^No model is set up yet.* ANTHROPIC_API_KEY .*treadle serve/);
  expect(sentence(error)).not.toContain("Choose a model");
  expect(sentence(new Error("It is so."))).toBe("It is so.");
});

import { expect, it } from "vitest";
import { sentence } from "./sentence.ts";

it("who has no model is told of what a terminal has, not of what the page shows", () => {
  const error = Object.assign(new Error("Type a key under “Choose a model”."), {
    code: "model-missing",
  });
  expect(sentence(error)).toMatch(/^No model is set up yet.* ANTHROPIC_API_KEY .*treadle serve/);
  expect(sentence(error)).not.toContain("Choose a model");
  expect(sentence(new Error("It is so."))).toBe("It is so.");
});

import { expect, it } from "vitest";
import { findPrice } from "../models/price.ts";
import { usageOf } from "./budget.ts";

const tokens = (cacheReadTokens: number, cacheWriteTokens: number) => ({
  inputTokens: 1_000_000,
  inputTokenDetails: {
    noCacheTokens: 1_000_000 - cacheReadTokens - cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
  },
  outputTokens: 0,
  outputTokenDetails: { textTokens: 0, reasoningTokens: 0 },
  totalTokens: 1_000_000,
});

it("bills what is read from a cache, what is put into one and the rest at the price of each", () => {
  const price = { input: 4, cachedInput: 1, cacheWrite: 5, output: 20 };
  expect(usageOf(tokens(0, 0), price).costUsd).toBe(4);
  expect(usageOf(tokens(1_000_000, 0), price).costUsd).toBe(1);
  expect(usageOf(tokens(0, 1_000_000), price).costUsd).toBe(5);
  expect(usageOf(tokens(500_000, 250_000), price).costUsd).toBe(0.5 + 1.25 + 1);
});

it("knows that a provider takes more for what it puts into its cache", () => {
  const { price } = findPrice("anthropic", "claude-sonnet-4-5");
  expect(price!.cacheWrite).toBeGreaterThan(price!.input);
});

import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { expect, it } from "vitest";
import { limitBytes } from "./limit-bytes.ts";

const pass = async (pieces: string[], limit: number) => {
  const limited = limitBytes(limit);
  const all = buffer(limited).catch(() => undefined);
  await pipeline(Readable.from(pieces.map((piece) => Buffer.from(piece))), limited);
  return String(await all);
};

it("passes on data up to the limit, and fails at the first byte beyond", async () => {
  expect(await pass(["abc", "de"], 5)).toBe("abcde");
  await expect(pass(["abc", "def"], 5)).rejects.toThrow("more than 5 bytes");
});

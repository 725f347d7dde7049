import { expect, it } from "vitest";
import { isInsideDigest } from "./is-inside-digest.ts";

const HASH = "3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea";

it("does not report a text that is only part of a hash", () => {
  expect(isInsideDigest(`"revision": "${HASH}"`, "dae")).toBe(true);
  expect(isInsideDigest("integrity sha512-9UxGfXwBcDe8Fg1HiJkLmNoPqRsTuVwXyZ==", "wbc")).toBe(true);
});

it("reports a word, even beside a hash, and the beginning of a hash", () => {
  expect(isInsideDigest(`dae ${HASH}`, "dae")).toBe(false);
  expect(isInsideDigest(`commit ${HASH}`, HASH.slice(0, 8))).toBe(false);
  expect(isInsideDigest("const veryLongButOrdinaryNameOfSomething = 1;", "ordinary")).toBe(false);
  expect(isInsideDigest("import x from '../components/v2/list/item.tsx'", "list")).toBe(false);
  expect(isInsideDigest("nothing of it", "dae")).toBe(false);
});

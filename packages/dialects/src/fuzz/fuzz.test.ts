import { expect, test } from "vitest";
import { CHECKS } from "./checks.test-support.ts";

/** The first seed of the short suite; a failure prints its seed. Set TREADLE_SEED to try others. */
const FIRST = Number(process.env["TREADLE_SEED"] ?? 1);
const ROUNDS = 100;

for (const [name, check] of Object.entries(CHECKS)) {
  test(`${name} holds for seeds ${FIRST} to ${FIRST + ROUNDS - 1}`, () => {
    for (let seed = FIRST; seed < FIRST + ROUNDS; seed++)
      expect(check(seed), `seed ${seed}`).toBeUndefined();
  });
}

/** Past failures found by the soak test. */
const FOUND: [keyof typeof CHECKS, number, string][] = [
  ["checkEdits", 257, "a blank old text that stands in a blank file is replaced literally"],
  ["checkEdits", 3205, "a blank old text does not take a whole blank file with it"],
  ["checkForgiveness", 6, "an edit brings no byte-order mark into a file"],
  ["checkArtifact", 232466028, "a fence's head at its limit waits for what comes next"],
  ["checkArtifact", 232491689, "a fence's head at its limit waits for what comes next"],
  ["checkArtifact", 232553956, "a fence's head at its limit waits for what comes next"],
  ["checkArtifact", 232563635, "a fence's head at its limit waits for what comes next"],
  ["checkAsides", 431019050, "an end that stands before an artifact of dots is not its own"],
  [
    "checkAsides",
    433710036,
    "a stray end of an artifact is words before a tag on its line, in every piece",
  ],
];

test.each(FOUND)("%s seed %i: %s", (name, seed) => {
  expect(CHECKS[name](seed)).toBeUndefined();
});

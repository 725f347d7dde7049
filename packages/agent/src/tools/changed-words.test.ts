import { toProjectPath } from "@treadle/protocol/project-path";
import { expect, it } from "vitest";
import { changedWords } from "./changed-words.ts";

it("A27 does not attribute a change to the person if a program may have made it (F13)", () => {
  const personWrites = new Map([[toProjectPath("a.ts"), "v1"]]);
  expect(changedWords(toProjectPath("a.ts"), { personWrites })).toContain(
    "the person changed a.ts",
  );
  const isPersons = (_path: string, version: string) => version === "v1";
  expect(changedWords(toProjectPath("a.ts"), { personWrites, isPersons })).toContain(
    "the person changed a.ts",
  );
  expect(
    changedWords(toProjectPath("a.ts"), {
      personWrites: new Map([[toProjectPath("a.ts"), "v2"]]),
      isPersons,
    }),
  ).toBe(
    "a.ts was changed while you were working, in an editor of the person's or by a program of the project",
  );
});

/**
 * Every sentence for the model either states a fact of Treadle and names the test that proves it
 * (`told-facts.test-support.ts`), or is marked as advice (`told-advice.txt`). A new or changed
 * sentence is neither, so it fails here until someone decides.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FACTS } from "./told-facts.test-support.ts";
import { toldSentences, type ToldSentence } from "./told-sentences.test-support.ts";

const root = join(import.meta.dirname, "../../../../..");
const sentences = toldSentences();
const adviceFile = join(import.meta.dirname, "told-advice.txt");

/** A line of the list of advice: the file, the sentence's digest and its first words. */
const adviceLine = ({ file, text }: ToldSentence) => {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 10);
  return `${file} ${digest} ${text.replaceAll(/\s+/g, " ").slice(0, 40).trim()}`;
};
const isFact = ({ file, text }: ToldSentence) =>
  (FACTS[file] ?? []).some(([words]) => text.includes(words));

it("every sentence for the model is a fact with a test, or is marked as advice", () => {
  const advice = new Set(readFileSync(adviceFile, "utf8").split("\n"));
  const unmarked = sentences.filter((one) => !isFact(one)).map(adviceLine);
  expect(unmarked.filter((line) => !advice.has(line))).toEqual([]);
});

it("the list of advice has no sentence that no longer exists", () => {
  const advised = new Set(sentences.map(adviceLine));
  const marks = readFileSync(adviceFile, "utf8").split("\n").filter(Boolean);
  expect(marks.filter((line) => !advised.has(line))).toEqual([]);
});

it.each(Object.entries(FACTS))(
  "the facts in %s occur literally and name existing tests",
  (file, facts) => {
    const isTold = (words: string) =>
      sentences.some((one) => one.file === file && one.text.includes(words));
    expect(facts.filter(([words]) => !isTold(words)).map(([words]) => words)).toEqual([]);
    const isThere = (test: string) => {
      const [path = "", name] = test.split(" > ", 2);
      if (!existsSync(join(root, path))) return false;
      const source = readFileSync(join(root, path), "utf8").replaceAll('\\"', '"');
      return name === undefined || source.includes(name);
    };
    expect(facts.filter(([, test]) => !isThere(test)).map(([, test]) => test)).toEqual([]);
  },
);

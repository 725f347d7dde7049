import { expect, it } from "vitest";
import { newSentences } from "./new-sentences.ts";

it("announces a sentence once it is complete, and only once", () => {
  const first = newSentences("I write a page. It has a he", 0, false);
  expect(first.sentences).toEqual(["I write a page."]);
  const text = "I write a page. It has a heading. And";
  const second = newSentences(text, first.announcedChars, false);
  expect(second.sentences).toEqual(["It has a heading."]);
  expect(newSentences(text, second.announcedChars, true).sentences).toEqual(["And"]);
  expect(
    newSentences(text, newSentences(text, second.announcedChars, true).announcedChars, true)
      .sentences,
  ).toEqual([]);
});

it("omits code and Markdown marks, and waits for the end of a block", () => {
  const text = "## Done\n\nHere **it** is:\n```js\nconst a = 1.5;\n```\nTry it.\n";
  expect(newSentences(text, 0, true).sentences).toEqual(["Done", "Here it is:", "Try it."]);
  const cut = newSentences(text.slice(0, 40), 0, false);
  expect(cut.sentences).toEqual(["Done", "Here it is:"]);
  expect(newSentences(text, cut.announcedChars, true).sentences).toEqual(["Try it."]);
});

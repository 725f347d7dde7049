import { describe, expect, it } from "vitest";
import { askedOf, EMPTY_QUERY, expressionOf, globOf, partsOf, replacedIn } from "./line-match.ts";

const query = (change: Partial<typeof EMPTY_QUERY>) => ({ ...EMPTY_QUERY, ...change });

describe("what is looked for", () => {
  it("is a text as it stands, whatever signs are in it", () => {
    const typed = query({ text: "a.b(c)$1" });
    expect(askedOf(typed)).toMatchObject({ pattern: "a.b(c)$1", regex: false });
    expect(partsOf("x a.b(c)$1 y A.B(C)$1", expressionOf(typed)).map(({ found }) => found)).toEqual(
      [false, true, false, true],
    );
  });

  it("is a whole word, or an expression, and is none where it is broken", () => {
    expect(askedOf(query({ text: "a.b", word: true }))).toMatchObject({
      pattern: "\\b(?:a\\.b)\\b",
      regex: true,
    });
    expect(partsOf("one onex", expressionOf(query({ text: "one", word: true })))).toHaveLength(2);
    expect(expressionOf(query({ text: "(", regex: true }))).toBeUndefined();
    expect(partsOf("abc", expressionOf(query({ text: "x*", regex: true })))).toEqual([
      { text: "abc", found: false },
    ]);
  });

  it("is looked for in names, folders and globs", () => {
    expect(globOf(" ")).toBeUndefined();
    expect(globOf("*.css")).toBe("**/*.css");
    expect(globOf("./src/, *.md")).toBe("{**/src,**/src/**,**/*.md}");
  });
});

describe("what it is replaced with", () => {
  it("is what was typed, and in an expression its groups", () => {
    const plain = expressionOf(query({ text: "a" }))!;
    expect(replacedIn("a b A", plain, "$&", false)).toBe("$& b $&");
    const groups = expressionOf(query({ text: "(\\w)=(\\w)", regex: true }))!;
    expect(replacedIn("x=y", groups, "$2=$1", true)).toBe("y=x");
  });
});

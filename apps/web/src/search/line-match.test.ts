import { describe, expect, it } from "vitest";
import { askedOf, EMPTY_QUERY, expressionOf, globOf, partsOf, replacedIn } from "./line-match.ts";

const query = (change: Partial<typeof EMPTY_QUERY>) => ({ ...EMPTY_QUERY, ...change });

describe("a search", () => {
  it("matches the text literally, whatever characters it contains", () => {
    const typed = query({ text: "a.b(c)$1" });
    expect(askedOf(typed)).toMatchObject({ pattern: "a.b(c)$1", regex: false });
    expect(partsOf("x a.b(c)$1 y A.B(C)$1", expressionOf(typed)).map(({ found }) => found)).toEqual(
      [false, true, false, true],
    );
  });

  it("matches whole words or an expression, and nothing if the expression is invalid", () => {
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

  it("matches names, folders and globs", () => {
    expect(globOf(" ")).toBeUndefined();
    expect(globOf("*.css")).toBe("**/*.css");
    expect(globOf("./src/, *.md")).toBe("{**/src,**/src/**,**/*.md}");
  });
});

describe("a replacement", () => {
  it("is the typed text, with groups if it is an expression", () => {
    const plain = expressionOf(query({ text: "a" }))!;
    expect(replacedIn("a b A", plain, "$&", false)).toBe("$& b $&");
    const groups = expressionOf(query({ text: "(\\w)=(\\w)", regex: true }))!;
    expect(replacedIn("x=y", groups, "$2=$1", true)).toBe("y=x");
  });
});

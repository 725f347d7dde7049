import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMentions, writeMention, writeResource } from "./index.ts";

const parsed = (text: string) =>
  parseMentions(text).map(({ start, end, ...rest }) => {
    expect(text.slice(start, end)).toBe(rest.text);
    return rest;
  });
const texts = (text: string) => parseMentions(text).map((mention) => mention.text);

describe("a message's mentions", () => {
  it.each([
    ["@src/App.tsx", { kind: "path", path: "src/App.tsx", sure: true }],
    ["@src/", { kind: "path", path: "src/", sure: true }],
    ["@./diff", { kind: "path", path: "diff", sure: true }],
    ["@Makefile", { kind: "path", path: "Makefile", sure: false }],
    ["@types/node", { kind: "path", path: "types/node", sure: false }],
    ["@src/a.ts:10", { kind: "path", path: "src/a.ts", lines: { from: 10, to: 10 }, sure: true }],
    [
      "@src/a.ts:10-40",
      { kind: "path", path: "src/a.ts", lines: { from: 10, to: 40 }, sure: true },
    ],
    ['@"my notes.md"', { kind: "path", path: "my notes.md", sure: true }],
    [
      '@"my notes.md":3-5',
      { kind: "path", path: "my notes.md", lines: { from: 3, to: 5 }, sure: true },
    ],
    [`@'say "hi".md'`, { kind: "path", path: 'say "hi".md', sure: true }],
    ["@https://example.com/a?b=c#d", { kind: "url", url: "https://example.com/a?b=c#d" }],
    ["@notes:note://1", { kind: "resource", server: "notes", uri: "note://1" }],
    ["@db:postgres://a/b:10", { kind: "resource", server: "db", uri: "postgres://a/b:10" }],
    ['@"my notes:file:///a b.md"', { kind: "resource", server: "my notes", uri: "file:///a b.md" }],
    ["@src/a:b:c", { kind: "path", path: "src/a:b:c", sure: false }],
    ["@problems", { kind: "problems" }],
    ["@terminal", { kind: "terminal" }],
    ["@terminal:2", { kind: "terminal", name: "2" }],
    ["@preview:/about", { kind: "preview", path: "/about" }],
    ["@diff", { kind: "diff" }],
    ["@checkpoint", { kind: "checkpoint" }],
    ["@checkpoint:4f2c", { kind: "checkpoint", name: "4f2c" }],
    ['@checkpoint:"Before this turn"', { kind: "checkpoint", name: "Before this turn" }],
  ])("parses %s", (text, expected) => {
    expect(parsed(text)).toEqual([{ text, ...expected }]);
    expect(texts(`Look at ${text}, then stop.`)).toEqual([text]);
    expect(texts(`(${text})`)).toEqual([text]);
  });

  it.each([
    "write to me@example.com",
    "react@19.2.0",
    "an @ alone, and @@",
    "a `@Component` in code",
    "```ts\n@Injectable()\nimport x from '@/a.ts'\n@src/a.ts\n```",
    'import x from "@/components/a.ts"',
  ])("finds none in: %s", (text) => expect(texts(text)).toEqual([]));

  it("finds several, and ends them where the sentence continues", () => {
    expect(
      texts("@a.ts, @b.ts; @c.ts! (see @d.ts) and @https://e.org/f_(g)). Not @h.ts's?"),
    ).toEqual(["@a.ts", "@b.ts", "@c.ts", "@d.ts", "@https://e.org/f_(g)", "@h.ts"]);
    expect(texts("`code` @a.ts ``b`c`` @d.ts")).toEqual(["@a.ts", "@d.ts"]);
    expect(texts("@app/[id]/page.tsx")).toEqual(["@app/[id]/page.tsx"]);
  });

  it("returns correct positions without overlaps, for any text", () => {
    const piece = fc.oneof(
      fc.constantFrom("@", '"', "'", "`", "```", ":", "-", "1", ".", "/", " ", "\n", "(", ")", "a"),
      fc.constantFrom("@src/a.ts", "@diff", "@https://a.b", "@checkpoint:", "me@x.y"),
      fc.string({ unit: "binary", maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        let last = 0;
        for (const { start, end, text: source } of parseMentions(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(text.slice(start, end)).toBe(source);
          expect(source).toMatch(/^@./su);
          last = end;
        }
      }),
    );
  });

  it("writes mentions that are parsed as the same path, for any path that can be quoted", () => {
    const part = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const path = parts.join("/");
        const written = writeMention(path);
        if (written === undefined) return;
        const [read] = parseMentions(`Look: ${written} and on`);
        expect(read).toMatchObject({ kind: "path", path, text: written });
      }),
    );
    for (const path of [
      "src/App.tsx",
      "my notes.md",
      "diff",
      "a'b.md",
      "[id]/x.ts",
      "a:10",
      "ü/é.ts",
    ])
      expect(writeMention(path), path).toBeDefined();
    expect(writeMention("src/App.tsx")).toBe("@src/App.tsx");
    expect(writeMention("my notes.md")).toBe('@"my notes.md"');
  });

  it("writes mentions that are parsed as the same resource, for any resource that can be quoted", () => {
    const uri = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.constantFrom("notes", "my notes", "a.b-c"), uri, (server, rest) => {
        const written = writeResource(server, `note:${rest}`);
        if (written === undefined) return;
        expect(parseMentions(`Look: ${written} and on`)[0]).toMatchObject({
          kind: "resource",
          server,
          uri: `note:${rest}`,
        });
      }),
    );
    expect(writeResource("notes", "note://1")).toBe("@notes:note://1");
    expect(writeResource("my notes", "note://1")).toBe('@"my notes:note://1"');
    expect(writeResource("notes", "note://a\nb")).toBeUndefined();
  });

  it("is as quick in 200,000 characters of brackets, quotes and signs as in prose", () => {
    for (const text of ["@(", '@"', "`@", "@a)", "``` @", "@a.ts "]) {
      const long = text.repeat(200_000 / text.length);
      expect(parseMentions(long).length).toBeLessThanOrEqual(40_000);
    }
  });
});

import type { ProjectPath } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import { addressTarget, findLinks } from "./find-links.ts";

const files = new Set([
  "src/App.tsx",
  "src/lib/sum.ts",
  "server.js",
  "app/main.py",
  "a/index.ts",
  "b/index.ts",
  "src/Größe.tsx",
  "docs/my notes.md",
] as ProjectPath[]);
const known = { files, ports: [5173, 3000] };
/** The underlined texts, with their targets. */
const links = (text: string, above: string[] = []) =>
  findLinks(text, known, (distance) => above.at(-distance)).map(({ from, to, target }) => {
    if (target.kind === "web") return [text.slice(from, to), target.address];
    if (target.kind === "preview") return [text.slice(from, to), `:${target.port}${target.path}`];
    const { path, place } = target;
    return [text.slice(from, to), place ? `${path}:${place.line}:${place.column}` : path];
  });

describe("links in a terminal's text", () => {
  it.each([
    ["src/App.tsx:12:3 - error TS2304", [["src/App.tsx:12:3", "src/App.tsx:12:3"]]],
    ["src/App.tsx(12,3): error TS2304", [["src/App.tsx(12,3)", "src/App.tsx:12:3"]]],
    [
      "    at sum (/home/project/src/lib/sum.ts:4:9)",
      [["home/project/src/lib/sum.ts:4:9", "src/lib/sum.ts:4:9"]],
    ],
    [
      "    at file:///home/project/server.js:7:1",
      [["home/project/server.js:7:1", "server.js:7:1"]],
    ],
    ['  File "app/main.py", line 3, in <module>', [['"app/main.py", line 3', "app/main.py:3:1"]]],
    [" ❯ lib/sum.ts:4:9", [["lib/sum.ts:4:9", "src/lib/sum.ts:4:9"]]],
    ["\tmodified:   src/App.tsx", [["src/App.tsx", "src/App.tsx"]]],
    ["./server.js is ready.", [["./server.js", "server.js"]]],
    ["\tmodified:   src/Größe.tsx", [["src/Größe.tsx", "src/Größe.tsx"]]],
    ["src/Größe.tsx:4:2 - error", [["src/Größe.tsx:4:2", "src/Größe.tsx:4:2"]]],
    ["deleted: 'docs/my notes.md'", [["docs/my notes.md", "docs/my notes.md"]]],
    ["can't open 'docs/my notes.md'", [["docs/my notes.md", "docs/my notes.md"]]],
    ['  File "docs/my notes.md", line 3', [['"docs/my notes.md", line 3', "docs/my notes.md:3:1"]]],
    [
      "    at run (/home/project/docs/my notes.md:7:1)",
      [["home/project/docs/my notes.md:7:1", "docs/my notes.md:7:1"]],
    ],
  ])("%s links to the file and its line", (text, expected) => {
    expect(links(text)).toEqual(expected);
  });

  it("a list of problems links to the file above it", () => {
    const above = ["/home/project/src/App.tsx", "  3:1  warning  x"];
    expect(links("  12:7  error  'a' is not defined  no-undef", above)).toEqual([
      ["12:7", "src/App.tsx:12:7"],
    ]);
    expect(links("  12:7  error  'a' is not defined", ["", "  3:1  error  x"])).toEqual([]);
  });

  it("an address on one of the project's ports links to its preview; other addresses of this machine do not link", () => {
    expect(links("  ➜  Local:   http://localhost:5173/")).toEqual([
      ["http://localhost:5173/", ":5173/"],
    ]);
    expect(links("see http://127.0.0.1:3000/api?x=1#y).")).toEqual([
      ["http://127.0.0.1:3000/api?x=1#y", ":3000/api?x=1#y"],
    ]);
    expect(links("http://localhost:8080/ and http://[::1]:9000/")).toEqual([]);
  });

  it.each([
    "http://localhost.:8080/",
    "http://abc.localhost:4173/api",
    "http://127.1:8080/",
    "http://2130706433:8080/",
    "http://[::ffff:127.0.0.1]:8080/",
    "http://[::ffff:0:0]:8080/",
    "http://0:8080/",
    "https://vite.dev@evil.example/",
  ])("A41 %s links to nothing on the user's own machine, and hides no host", (address) => {
    expect(links(`see ${address}`)).toEqual([]);
    expect(addressTarget(address, known.ports)).toBeUndefined();
  });

  it.each(["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "x"])(
    "A41 %s, to which a program gives a label, does not become a link",
    (address) => expect(addressTarget(address, [5173])).toBeUndefined(),
  );

  it("A78 a line of many names is looked up in the list of files, and not compared with each", () => {
    let read = 0;
    class Counted extends Set<ProjectPath> {
      override *[Symbol.iterator]() {
        for (const path of super.values()) {
          read++;
          yield path;
        }
        return undefined;
      }
    }
    const many = new Counted();
    for (let file = 0; file < 1_000; file++) many.add(`src/${file}.ts` as ProjectPath);
    const line = Array.from({ length: 400 }, (_, at) => `x${at}.ts`).join(" ");
    expect(findLinks(line, { files: many, ports: [] })).toEqual([]);
    expect(read).toBe(1_000);
  });

  it("other addresses link to the web, without trailing punctuation", () => {
    expect(links("Read https://vite.dev/guide/ (or https://a.b/c_(d)).")).toEqual([
      ["https://vite.dev/guide/", "https://vite.dev/guide/"],
      ["https://a.b/c_(d)", "https://a.b/c_(d)"],
    ]);
    expect(links("javascript:alert(1) file:///etc/passwd ftp://x.y/z")).toEqual([]);
  });

  it("a name that is not a file of the project, or could be several, does not become a link", () => {
    expect(links("node:internal/modules/run_main:12:3 other.ts:1:1 index.ts:3:1")).toEqual([]);
    expect(links("v1.2.3 took 0.5s")).toEqual([]);
  });

  it("reads only a limited part of a line", () => {
    expect(links(`${" ".repeat(5_000)}src/App.tsx`)).toEqual([]);
  });
});

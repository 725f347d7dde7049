import { describe, expect, it } from "vitest";
import { placeProblems } from "./place-problems.ts";

const ORIGIN = "http://abc.localhost:4173";
/** Line 3 of the served text, from column 5 on, is line 2, column 3 of the source. */
const map = (source: string) => ({ version: 3, names: [], sources: [source], mappings: ";;IACE" });
const inline = (source: string) =>
  `a\nb\nthrow\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map(source))).toString("base64")}`;

async function place(
  files: Record<string, string>,
  stack: string,
  source?: string,
  own: Record<string, string> = {},
) {
  const asked: string[] = [];
  const load = async (path: string) => {
    asked.push(path);
    return files[path];
  };
  const report = { uncaughtErrors: [{ message: "x", source, stack }] };
  const { uncaughtErrors } = await placeProblems(report, ORIGIN, load, async (path) => own[path]);
  return { source: uncaughtErrors[0]?.source, stack: uncaughtErrors[0]?.stack, asked };
}
const at = (path: string) => `Error: x\n    at App (${ORIGIN}${path}:3:5)`;

describe("the location of an error in the person's own files", () => {
  it.each([
    ["beside what is sent (Vite)", "/src/App.tsx?t=17", inline("App.tsx"), "src/App.tsx:2:3"],
    [
      "from the sandbox's root",
      "/src/App.tsx",
      inline("/home/project/src/App.tsx"),
      "src/App.tsx:2:3",
    ],
    ["as a file address", "/a.js", inline("file:///home/project/src/a.ts"), "src/a.ts:2:3"],
    [
      "by webpack",
      "/_next/static/chunks/page.js",
      inline("webpack://_N_E/./app/page.tsx?ab12"),
      "app/page.tsx:2:3",
    ],
    [
      "by webpack inside",
      "/x.js",
      inline("webpack-internal:///(app-pages-browser)/./app/page.tsx"),
      "app/page.tsx:2:3",
    ],
    [
      "by Turbopack",
      "/_next/a.js",
      inline("turbopack:///[project]/app/page.tsx"),
      "app/page.tsx:2:3",
    ],
  ])("%s", async (_, path, text, expected) => {
    expect((await place({ [path]: text }, at(path))).source).toBe(expected);
  });

  it.each([
    [
      "a script that is sent as it stands",
      "/js/app.js",
      "a\nb\n    throw",
      { "js/app.js": "a\nb\n    throw" },
      "js/app.js:3:5",
    ],
    [
      "one of the folder that is sent",
      "/js/app.js",
      "a\nb\n    throw",
      { "public/js/app.js": "a\nb\n    throw" },
      "public/js/app.js:3:5",
    ],
    [
      "the page itself",
      "/",
      "<html>\n\n    throw",
      { "index.html": "<html>\n\n    throw" },
      "index.html:3:5",
    ],
    [
      "another page",
      "/about",
      "<html>\n\n    throw",
      { "about.html": "<html>\n\n    throw" },
      "about.html:3:5",
    ],
    [
      "a page that a dev server has put lines into",
      "/",
      "<html>\n<script src=/@vite/client></script>\n    throw",
      { "index.html": "<html>\n  throw" },
      "index.html:2:3",
    ],
    [
      "the second of two lines that read the same",
      "/",
      "throw\nx\n    throw",
      { "index.html": "throw\n    throw" },
      "index.html:2:5",
    ],
    [
      "a page of one long line, in which the browser counts the probe as well",
      "/",
      "<html>\nx\nno",
      { "index.html": "<html>\nx\nno" },
      "index.html:3:1",
    ],
  ])("by the line in %s", async (_, path, text, own: Record<string, string>, expected) => {
    const { source } = await place({ [path]: text }, at(path), undefined, own);
    expect(source).toBe(expected);
  });

  it.each([
    ["no file was it made of", "/", {}],
    ["no file has that line", "/", { "index.html": "<html>\nhello" }],
    ["it is made anew for each request", "/users/1", { "index.html": "<html>\n\nthrow" }],
  ])("stays as the browser reported it if %s", async (_, path, own) => {
    const page = "<html>\n\n    throw";
    expect((await place({ [path]: page }, at(path), undefined, own)).source).toBeUndefined();
  });

  it("by a separate map file", async () => {
    const files = {
      "/dist/app.js": "a\nb\n    throw\n//# sourceMappingURL=app.js.map",
      "/dist/app.js.map": JSON.stringify(map("../src/app.ts")),
    };
    expect((await place(files, at("/dist/app.js"))).source).toBe("src/app.ts:2:3");
  });

  it("in the first file of the stack that belongs to the project", async () => {
    const stack = `Error: x\n at a (${ORIGIN}/node_modules/.vite/deps/react.js:3:5)\n at b (${ORIGIN}/@vite/client:3:5)\n at c (https://cdn.example/x.js:3:5)\n at d (${ORIGIN}/src/a.ts:3:5)`;
    const { source, asked, ...placed } = await place({ "/src/a.ts": inline("a.ts") }, stack);
    expect(source).toBe("src/a.ts:2:3");
    expect(placed.stack).toMatch(/ at d \(src\/a\.ts:2:3\)$/);
    expect(asked).toEqual(["/src/a.ts"]);
  });

  it("in Firefox's format", async () => {
    const stack = `App@${ORIGIN}/src/a.ts:3:5`;
    expect((await place({ "/src/a.ts": inline("a.ts") }, stack)).source).toBe("src/a.ts:2:3");
  });

  it.each([
    ["is not there", {}],
    ["has a map that cannot be read", { "/a.js": "//# sourceMappingURL=data:application/json,{" }],
    ["leads into a package", { "/a.js": inline("/home/project/node_modules/x/y.js") }],
    [
      "is mapped nowhere",
      {
        "/a.js": inline("a.ts")
          .replace("throw", "")
          .replace(
            /base64,.*/,
            `base64,${Buffer.from(JSON.stringify({ ...map("a.ts"), mappings: "" })).toString("base64")}`,
          ),
      },
    ],
  ])("stays as the browser reported it if it %s", async (_, files) => {
    const source = `${ORIGIN}/a.js:3:5`;
    expect((await place(files as Record<string, string>, "", source)).source).toBe(source);
  });
});

describe("A107 a map crafted to be harmful", () => {
  const named = (...sources: unknown[]) =>
    `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify({ version: 3, names: [], sources, mappings: "AAAA" })).toString("base64")}`;
  const stack = `Error: x\n    at App (${ORIGIN}/a.js:1:1)\n    at App (${ORIGIN}/a.js:1:1)`;

  it.each([
    ["a name that means the rest of the text", "$`$'$&".repeat(100)],
    ["a name without end", "x".repeat(1_000_000)],
    ["a name that is none", "%"],
    ["a number for a name", 5],
    ["an address that is none", "http://["],
    ["a name that leads out", "../../../../etc/passwd"],
    ["a name with another's marks", "a\u0000b"],
  ])("%s", async (_, source) => {
    const placed = await place({ "/a.js": named(source) }, stack, `${ORIGIN}/a.js:1:1`);
    expect(placed.stack!.length + placed.source!.length).toBeLessThan(5_000);
    expect(`${placed.source} ${placed.stack}`).not.toMatch(/\.\.\/|\0/);
  });

  it.each([
    [
      "millions of places",
      `{"version":3,"names":[],"sources":["a"],"mappings":"${"A,".repeat(1_500_000)}"}`,
    ],
    ["lists within lists", "[".repeat(1_000_000)],
    [
      "parts within parts",
      `${'{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'.repeat(20_000)}{}${"}]}".repeat(20_000)}`,
    ],
  ])("of %s is parsed without blocking others", async (what, text) => {
    const files = { "/a.js": "throw\n//# sourceMappingURL=a.js.map", "/a.js.map": text };
    let turns = 0;
    let going = true;
    const turn = () => void (going && turns++ >= 0 && setImmediate(turn));
    turn();
    const { stack: placed } = await place(files, stack);
    going = false;
    expect(placed).toBeDefined();
    if (what === "millions of places") expect(turns).toBeGreaterThan(200);
  });
});

it("the location in a framework's overlay is a path of the project", async () => {
  const overlay = "Unexpected token\n/home/project/src/App.tsx:9:1";
  const placed = await placeProblems(
    { uncaughtErrors: [], overlay },
    ORIGIN,
    async () => undefined,
    async () => undefined,
  );
  expect(placed.overlay).toBe("Unexpected token\nsrc/App.tsx:9:1");
});

describe("the displayed stack", () => {
  const packages = Array.from(
    { length: 20 },
    (_, at) => `    at f${at} (${ORIGIN}/node_modules/.vite/deps/react-dom.js?v=1:${at + 1}:5)`,
  );

  it("has the project's own frames, and the number of omitted frames of packages", async () => {
    const frames = [packages[0], `    at App (${ORIGIN}/src/App.tsx:3:5)`, ...packages.slice(1)];
    const { stack } = await place(
      { "/src/App.tsx": inline("App.tsx") },
      ["Error: x", ...frames].join("\n"),
    );
    expect(stack?.split("\n")).toEqual([
      "Error: x",
      "    at App (src/App.tsx:2:3)",
      expect.stringContaining("20 "),
    ]);
  });

  it("has the first frames of packages if there are no others", async () => {
    const { stack } = await place({}, ["Error: x", ...packages].join("\n"));
    expect(stack?.split("\n")).toHaveLength(5);
  });

  it("is the same for a printed error", async () => {
    const printed = ["Error: x", ...packages.slice(1), `    at App (${ORIGIN}/src/App.tsx:3:5)`];
    const report = {
      uncaughtErrors: [],
      consoleErrors: [{ message: printed.join("\n") }, { message: "plain" }],
    };
    const load = async (path: string) => (path === "/src/App.tsx" ? inline("App.tsx") : undefined);
    const { consoleErrors } = await placeProblems(report, ORIGIN, load, async () => undefined);
    expect(consoleErrors).toEqual([
      { message: expect.stringContaining("src/App.tsx:2:3"), source: "src/App.tsx:2:3" },
      { message: "plain" },
    ]);
    expect(consoleErrors[0]?.message).not.toContain("node_modules");
  });
});

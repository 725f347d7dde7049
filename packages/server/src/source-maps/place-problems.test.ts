import { describe, expect, it } from "vitest";
import { placeProblems } from "./place-problems.ts";

const ORIGIN = "http://abc.localhost:4173";
/** Line 3 of what is sent, from column 5 on, is line 2, column 3 of the source. */
const map = (source: string) => ({ version: 3, names: [], sources: [source], mappings: ";;IACE" });
const inline = (source: string) =>
  `a\nb\nthrow\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map(source))).toString("base64")}`;

async function place(files: Record<string, string>, stack: string, source?: string) {
  const asked: string[] = [];
  const load = async (path: string) => {
    asked.push(path);
    return files[path];
  };
  const report = { uncaughtErrors: [{ message: "x", source, stack }] };
  const { uncaughtErrors } = await placeProblems(report, ORIGIN, load);
  return { source: uncaughtErrors[0]?.source, stack: uncaughtErrors[0]?.stack, asked };
}
const at = (path: string) => `Error: x\n    at App (${ORIGIN}${path}:3:5)`;

describe("where something was thrown, as the person's own files have it", () => {
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
    ["as it is sent", "/js/app.js", "a\nb\n    throw", "js/app.js:3:5"],
    ["in the page itself", "/", "<script>\n\nthrow", "index.html:3:5"],
  ])("%s", async (_, path, text, wanted) => {
    expect((await place({ [path]: text }, at(path))).source).toBe(wanted);
  });

  it("by a map of its own file", async () => {
    const files = {
      "/dist/app.js": "a\nb\n    throw\n//# sourceMappingURL=app.js.map",
      "/dist/app.js.map": JSON.stringify(map("../src/app.ts")),
    };
    expect((await place(files, at("/dist/app.js"))).source).toBe("src/app.ts:2:3");
  });

  it("in the first file of the stack that is the project's", async () => {
    const stack = `Error: x\n at a (${ORIGIN}/node_modules/.vite/deps/react.js:3:5)\n at b (${ORIGIN}/@vite/client:3:5)\n at c (https://cdn.example/x.js:3:5)\n at d (${ORIGIN}/src/a.ts:3:5)`;
    const { source, asked, ...placed } = await place({ "/src/a.ts": inline("a.ts") }, stack);
    expect(source).toBe("src/a.ts:2:3");
    expect(placed.stack).toMatch(/ at d \(src\/a\.ts:2:3\)$/);
    expect(asked).toEqual(["/src/a.ts"]);
  });

  it("as Firefox writes it", async () => {
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
  ])("stays as the browser says where it %s", async (_, files) => {
    const source = `${ORIGIN}/a.js:3:5`;
    expect((await place(files as Record<string, string>, "", source)).source).toBe(source);
  });
});

it("the place in a framework's overlay is a path of the project", async () => {
  const overlay = "Unexpected token\n/home/project/src/App.tsx:9:1";
  const placed = await placeProblems(
    { uncaughtErrors: [], overlay },
    ORIGIN,
    async () => undefined,
  );
  expect(placed.overlay).toBe("Unexpected token\nsrc/App.tsx:9:1");
});

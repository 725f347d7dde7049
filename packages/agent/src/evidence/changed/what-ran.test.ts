import type { ProjectPath } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import type { RanFile } from "../../ports/browser.ts";
import { addedLines, codeOf } from "./changed-lines.ts";
import type { ServerRan } from "../../ports/data-copies.ts";
import type { Workspace } from "@treadle/workspace";
import { givenLines } from "./given-lines.ts";
import { recordCode } from "./what-ran.ts";
import { parse as readWrittenCode } from "./written-functions.parser.ts";

const EXPORT = `import { save } from "./save";
export function exportCsv(rows) {
  const text = rows.map((row) => row.join(",")).join("\\n");
  save(text);
}
export const add = (rows, row) => {
  rows.push(row);
  fetch("/add").catch((error) => {
    show(error);
  });
};
`;
const added = (text: string) =>
  `@@ -0,0 +1,${text.split("\n").length} @@\n${text
    .split("\n")
    .map((line) => `+${line}`)
    .join("\n")}`;

function record(
  files: Record<string, string>,
  diffs: Record<string, string> = {},
  answered: string[] = [],
  given: Record<string, string> = {},
) {
  const turn = codeOf(
    Object.entries(files).map(([path, text]) => ({
      path: path as ProjectPath,
      kind: "added" as const,
      binary: false,
      diff: diffs[path] ?? added(text),
    })),
  );
  const code = new Map(
    [...turn.lines.keys()].map((path) => [path, readWrittenCode(path, files[path]!)!] as const),
  );
  const ofTemplate = new Map(
    [...code].map(([path, written]) => [
      path,
      givenLines(files[path]!, written, given[path as string]),
    ]),
  );
  return recordCode(turn, code, new Set(answered as ProjectPath[]), ofTemplate);
}
const ran = (
  path: string,
  ...functions: [line: number, column: number, ran: boolean][]
): RanFile => ({
  path: path as ProjectPath,
  functions: functions.map(([line, column, did]) => ({ line, column, ran: did })),
});

/** A copy whose server ran these files. */
const serverOf = (files: RanFile[] = [], more: Partial<ServerRan> = {}, workspace = {}) => ({
  workspace: workspace as Workspace,
  ranCode: async () => ({ files, isWhole: true, unclear: new Set<ProjectPath>(), ...more }),
});

describe("code of a turn that never ran", () => {
  it("leaves out unchanged template code, and includes what was written into it", () => {
    const template = EXPORT.replace("  save(text);\n", "");
    const files = { "a.js": EXPORT, "b.js": EXPORT };
    const { watch, neverRan } = record(files, {}, [], { "a.js": template, "b.js": EXPORT });
    for (const path of ["a.js", "b.js"])
      watch().onRan([ran(path, [2, 7, false], [3, 24, false], [6, 19, false], [8, 28, false])]);
    expect(neverRan().map(({ subject, place }) => [subject, place])).toEqual([
      ["exportCsv", "a.js:2"],
    ]);
  });

  it("is named by function and line, the largest first, without functions nested in a named one", () => {
    const { watch, neverRan } = record({ "src/export.js": EXPORT });
    watch().onRan([ran("src/export.js", [2, 7, false], [3, 23, false], [6, 13, false])]);
    expect(neverRan()).toEqual([
      { code: "never-ran", subject: "add", place: "src/export.js:6" },
      { code: "never-ran", subject: "exportCsv", place: "src/export.js:2" },
    ]);
  });

  it("excludes code that any observation ran, and error handlers", () => {
    const { watch, neverRan } = record({ "src/export.js": EXPORT });
    watch().onRan([ran("src/export.js", [2, 7, false], [6, 13, true], [8, 22, false])]);
    expect(neverRan().map(({ subject }) => subject)).toEqual(["exportCsv"]);
    watch().onRan([ran("src/export.js", [2, 7, true])]);
    expect(neverRan()).toEqual([]);
  });

  it("excludes lines that existed before", () => {
    const diff = "@@ -6,0 +7,1 @@\n+  rows.push(row);";
    const { watch, neverRan } = record({ "src/export.js": EXPORT }, { "src/export.js": diff });
    watch().onRan([ran("src/export.js", [2, 7, false], [6, 13, false])]);
    expect(neverRan().map(({ subject }) => subject)).toEqual(["add"]);
  });

  it("includes a component that was not loaded, if the files loaded by the server are known", async () => {
    const { watch, neverRan, takeServer } = record({
      "src/App.jsx":
        'const About = lazy(() => import("./About"));\nimport Side from "@/Side.vue";\n',
      "src/About.jsx": "const T = 1;\nexport default function About() {\n  return <p>{T}</p>;\n}\n",
      "src/Side.vue": "<template><p>x</p></template>",
    });
    watch().onRan([ran("src/App.jsx")]);
    expect(neverRan()).toEqual([]);
    await takeServer(serverOf());
    expect(neverRan().map(({ subject, place }) => [subject, place])).toEqual([
      ["About", "src/About.jsx:2"],
      ["Side", "src/Side.vue:1"],
    ]);
  });

  it("includes a file that the framework answers requests with, if no request reached it", async () => {
    const { neverRan, takeServer } = record(
      { "app/export/route.ts": "export function GET() {\n  return Response.json([]);\n}\n" },
      {},
      ["app/export/route.ts"],
    );
    await takeServer(serverOf());
    expect(neverRan()).toEqual([
      { code: "never-ran", subject: "GET", place: "app/export/route.ts:1" },
    ]);
  });

  it("excludes a file that nothing imports, and one loaded in a form without positions", async () => {
    const { watch, neverRan, takeServer } = record({
      "src/App.jsx": 'import { save } from "./export";\nsave();\n',
      "src/export.js": EXPORT,
      "src/export.test.js": EXPORT,
    });
    watch().onRan([ran("src/App.jsx")]);
    await takeServer(serverOf([], { unclear: new Set(["src/export.js" as ProjectPath]) }));
    expect(neverRan()).toEqual([]);
  });

  it("includes a server handler that no request reached, if the server's record is complete", async () => {
    const { watch, neverRan, takeServer } = record({ "server.js": EXPORT });
    watch().onRan([]);
    await takeServer(serverOf([ran("server.js", [2, 7, false], [6, 13, true])]));
    expect(neverRan().map(({ subject }) => subject)).toEqual(["exportCsv"]);
    await takeServer(serverOf([ran("server.js", [2, 7, true])]));
    expect(neverRan()).toEqual([]);
  });

  it("is limited to 20 functions", () => {
    const text = Array.from({ length: 30 }, (_, at) => `function f${at}() {\n}`).join("\n");
    const { watch, neverRan } = record({ "a.js": text });
    const none = Array.from(
      { length: 30 },
      (_, at) => [at * 2 + 1, 0, false] as [number, number, boolean],
    );
    watch().onRan([ran("a.js", ...none)]);
    expect(neverRan()).toHaveLength(20);
  });
});

describe("a check", () => {
  it("ran other code if no function with lines of the turn ran meanwhile", () => {
    const { watch, span } = record({ "src/export.js": EXPORT });
    const [first, second] = [span(), span()];
    watch(first).onRan([
      ran("src/export.js", [2, 7, false], [3, 23, false], [6, 13, false], [8, 22, false]),
    ]);
    watch(second).onRan([ran("src/export.js", [2, 7, false], [6, 13, true])]);
    expect(first.ranOfTurn()).toBe(false);
    expect(second.ranOfTurn()).toBe(true);
  });

  it("is not judged if the turn wrote something whose execution is unknown", () => {
    const { span } = record({ "src/export.js": EXPORT, "style.css": "a{}" });
    const one = span();
    one.add([]);
    expect(one.ranOfTurn()).toBeUndefined();
    expect(record({ "src/export.js": EXPORT }).span().ranOfTurn()).toBeUndefined();
  });

  it("ran what its copy's server ran since the start, however often that was requested", async () => {
    const { watch, span, takeServer } = record({ "src/export.js": EXPORT });
    const copy = {};
    await takeServer(
      serverOf([ran("src/export.js", [2, 7, true], [3, 23, true], [6, 13, false])], {}, copy),
    );
    const [same, other] = [span(), span()];
    watch(same).onRan([]);
    watch(other).onRan([]);
    await takeServer(serverOf([], {}, copy), same);
    await takeServer(serverOf([ran("src/export.js", [2, 7, false], [3, 23, false])]), other);
    expect([same.ranOfTurn(), other.ranOfTurn()]).toEqual([true, false]);
  });

  it("is not judged by a file that was not loaded if the server's record is incomplete", async () => {
    const { watch, span, takeServer } = record({ "src/export.js": EXPORT });
    const one = span();
    watch(one).onRan([]);
    await takeServer(serverOf([], { isWhole: false }), one);
    expect(one.ranOfTurn()).toBeUndefined();
  });

  it("ran a module's top-level line if the module was loaded", () => {
    const { watch, span } = record({ "src/data.js": "export const PRICE = 3;\n" });
    const one = span();
    watch(one).onRan([ran("src/data.js")]);
    expect(one.ranOfTurn()).toBe(true);
  });
});

it("counts the lines that a difference adds in the new file", () => {
  const diff = "@@ -1,3 +1,4 @@\n a\n-b\n+B\n+C\n c\n@@ -10 +11 @@\n-x\n+y";
  expect([...addedLines(diff)]).toEqual([2, 3, 11]);
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFakeWorkspace } from "../../testing/fake-workspace.test-support.ts";
import { answer, call, scriptedModel } from "../../testing/scripted-model.test-support.ts";
import { ofType, tryRun } from "../../testing/try-run.test-support.ts";
import { FILE_DEFINITIONS, SOURCE_BYTES } from "./limits.ts";
import { parse as readOutline } from "./read-outline.parser.ts";

async function linesOf(path: string, text: string): Promise<string[]> {
  const outline = await readOutline(path, text);
  if (!outline.ok) throw new Error(outline.why);
  return outline.definitions.map(
    ({ line, depth, text: head }) => `${line}${" ".repeat(depth + 1)}${head}`,
  );
}

const COMPONENT = `import { useState } from "react";
export type Props = { items: string[] };
export default function App({ items }: Props): JSX.Element {
  const [text, setText] = useState("");
  const add = (item: string) => {
    setText(item);
  };
  return <ul onClick={() => 1}>{items.map((item) => <li>{item}</li>)}</ul>;
}
export const Row = memo(function Row() { return <li />; });
const one = 1, two = () => 2;
class Store extends Base {
  private items = [];
  async load(): Promise<void> {}
}
app.get("/todos", (request, response) => response.end());
export * from "./rows";
`;

describe("an outline", () => {
  it("has functions, components, types, classes, routes and exports with their lines", async () => {
    expect(await linesOf("src/App.tsx", COMPONENT)).toEqual([
      "2 export type Props = { items: string[] }",
      "3 export default function App({ items }: Props): JSX.Element",
      "5  const add = (item: string) =>",
      "10 export const Row = memo(function Row()",
      "11 const one",
      "11 two = () =>",
      "12 class Store extends Base",
      "14  async load(): Promise<void>",
      'app.get("/todos")'.replace(/^/, "16 "),
      '17 export * from "./rows"',
    ]);
  });

  it("covers scripts in pages, style rules and Python, with the line numbers of the file", async () => {
    expect(
      await linesOf(
        "a.vue",
        '<template><p/></template>\n<script setup lang="ts">\nfunction go(): void {}\n</script>',
      ),
    ).toEqual(["3 function go(): void"]);
    expect(
      await linesOf(
        "a.html",
        '<script type="importmap">{"function": 1}</script>\n<SCRIPT>function a() {}</SCRIPT>\n<script>function b() {}',
      ),
    ).toEqual(["2 function a()", "3 function b()"]);
    expect(await linesOf("a.astro", "---\nconst a = 1;\n---\n<p/>")).toEqual(["2 const a"]);
    expect(await linesOf("a.css", "@media (width < 9px) {\n .card { a: b }\n}")).toEqual([
      "1 @media (width < 9px)",
      "2  .card",
    ]);
    expect(await linesOf("a.py", "@get('/')\ndef index():\n  pass")).toEqual([
      "1 @get('/') def index()",
    ]);
  });

  it.each([
    ["a.ts", "const rows = await sql<Row[]>`select`;\nexport function f() {}"],
    ["a.tsx", "const Box = styled.div<{ wide: boolean }>`x`;\nexport const f = () => <Box />;"],
    ["a.ts", "import list from './list.json' with { type: 'json' };\nexport function f() {}"],
    ["a.ts", "await using held = open();\nexport function f() {}"],
  ])("of new syntax is not called broken: %s %s", async (path, text) => {
    expect(await readOutline(path, text)).toMatchObject({ ok: true, brokenAt: undefined });
  });

  it("of broken syntax gives the line of the error and the definitions that can be parsed", async () => {
    const outline = await readOutline("a.ts", "function a() {}\n\nfunction b( {\n");
    expect(outline).toMatchObject({ ok: true, brokenAt: 3 });
    expect(outline.ok && outline.definitions[0]).toMatchObject({ line: 1, text: "function a()" });
  });

  it("of an unknown, too long or too slow file gives the reason", async () => {
    expect(await readOutline("a.xyz", "")).toEqual({
      ok: false,
      why: "there is no outline for .xyz files",
    });
    const long = "let a;\n".repeat(SOURCE_BYTES / 7 + 1);
    expect(await readOutline("a.ts", long)).toMatchObject({ ok: false });
    let clock = 0;
    const slow = await readOutline("a.tsx", "{{[[<a ".repeat(20_000), () => (clock += 1_000));
    expect(slow).toEqual({ ok: false, why: "its syntax could not be understood in time" });
    // The next file is parsed independently of the failure.
    expect(await linesOf("a.tsx", "let a = 1;")).toEqual(["1 let a"]);
  });

  it("is limited in size", async () => {
    const lines = await linesOf("a.ts", "let a = 1;\n".repeat(FILE_DEFINITIONS + 1));
    expect(lines).toHaveLength(FILE_DEFINITIONS);
  });

  it("never throws, and its lines are lines of the file, in order", async () => {
    const piece = fc.constantFrom(
      "function a() {",
      "}",
      "export ",
      "class B {",
      "m() {}",
      "const c = (",
      ") => ",
      "<div>",
      "</div>",
      "\n",
      "\n",
      "`${",
      "/*",
      "*/",
      "'",
      "@x ",
      "<script>",
      "</script>",
      "---\n",
      "é😀",
      "{",
      ";",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("a.ts", "a.tsx", "a.js", "a.css", "a.py", "a.vue", "a.astro", "a.html"),
        fc.array(piece, { maxLength: 40 }),
        async (path, pieces) => {
          const text = pieces.join("");
          const outline = await readOutline(path, text, () => 0);
          if (!outline.ok) return;
          const last = text.split("\n").length;
          for (const { line, depth } of outline.definitions) {
            expect(line).toBeGreaterThan(0);
            expect(line).toBeLessThanOrEqual(last);
            expect(depth).toBeLessThanOrEqual(2);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("the tool", () => {
  async function outlined(path: string, files: Record<string, string>, mode?: "plan") {
    const { events } = await tryRun(
      scriptedModel(answer("", call("outline", { path })), answer("A plan.")),
      { workspace: createFakeWorkspace({ files }), request: mode ? { mode } : undefined },
    );
    return ofType(events, "call-end")[0]!;
  }

  it("shows one file, several, or a folder, in planning turns too", async () => {
    const files = { "src/a.ts": "let a = 1;", "src/b.ts": "let b = 1;", "c.txt": "c" };
    expect(await outlined("src/a.ts", files, "plan")).toMatchObject({
      title: "Outlined src/a.ts",
      result: "src/a.ts\n  1: let a",
    });
    expect((await outlined("src/a.ts\nsrc/b.ts", files)).title).toBe("Outlined 2 files");
    const folder = await outlined(".", files);
    expect(folder.result).toContain("src/b.ts\n  1: let b");
    expect(folder.result).not.toContain("c.txt");
  });

  it("reports files without an outline and missing paths", async () => {
    expect(await outlined("c.txt", { "c.txt": "c" })).toMatchObject({ status: "error" });
    expect((await outlined("gone.ts", {})).status).toBe("error");
    expect((await outlined("../a.ts", {})).status).toBe("error");
    expect((await outlined("bin.ts", { "bin.ts": "\0\0" })).result).toBe("bin.ts: not text");
  });
});

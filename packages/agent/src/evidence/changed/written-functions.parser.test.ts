import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCodeFile } from "./written-code.ts";
import { parse as readWrittenCode } from "./written-functions.parser.ts";

const named = (path: string, text: string) =>
  readWrittenCode(path, text)!.functions.map(({ name, line }) => [name, line]);

describe("the functions of a source file", () => {
  it("have their usual names", () => {
    const text = `import a from "x";
export default function App() {
  const add = async () => go();
  return <button onClick={() => add()}>x</button>;
}
const Row = memo(forwardRef((props, ref) => <p ref={ref} />));
export const handlers = { save: () => {}, load() {} };
class Store { #find = () => 1; put() {} }
app.post("/api/votes", (request, response) => {
  save(request.body);
  response.json(1);
});
[1].map((one) => one);
exports.close = function () {};
`;
    expect(named("src/App.jsx", text)).toEqual([
      ["App", 2],
      ["add", 3],
      ["onClick", 4],
      ["Row", 6],
      ["save", 7],
      ["load", 7],
      ["#find", 8],
      ["put", 8],
      ["POST /api/votes", 9],
      [undefined, 13],
      ["exports.close", 14],
    ]);
  });

  it("know the enclosing function, and whether they only run when something goes wrong", () => {
    const text = `function load() {
  fetch("/x").then((r) => r.json()).catch((error) => show(error));
}
process.on("error", () => {});
`;
    const { functions } = readWrittenCode("load.ts", text)!;
    expect(functions.map(({ parent, isErrorHandler }) => [parent, isErrorHandler])).toEqual([
      [undefined, undefined],
      [0, undefined],
      [0, true],
      [undefined, true],
    ]);
  });

  it("that handle a server's errors are recognised by their parameters; exit handlers have no name", () => {
    const text = `function failed(error, request, response, next) { response.end(); }
function shutdown() {
  process.exit();
}
app.use(failed);
app.use((error, _request, response, _next) => response.end());
app.use((request, response, next) => next());
process.on("SIGTERM", shutdown);
process.once("SIGINT", () => {
  shutdown();
  shutdown();
});
`;
    const { functions } = readWrittenCode("server.js", text)!;
    expect(functions.map(({ name, line, isErrorHandler }) => [name, line, isErrorHandler])).toEqual(
      [
        ["failed", 1, true],
        [undefined, 2, undefined],
        [undefined, 6, true],
        [undefined, 7, undefined],
        [undefined, 9, undefined],
      ],
    );
  });

  it("are listed with the names that their file imports", () => {
    const text = `import a from "./a";
import "./b.css";
export * from '../c';
const d = require("./d"), e = lazy(() => import("./e"));
import(name);
`;
    expect(readWrittenCode("src/x.ts", text)!.imports).toEqual([
      "./a",
      "./b.css",
      "../c",
      "./d",
      "./e",
    ]);
  });

  it("of a component have the line numbers of its file", () => {
    const text = `<template>\n  <b>{{ n }}</b>\n</template>\n<script setup lang="ts">\nfunction up(): void {}\n</script>\n`;
    expect(named("src/Count.vue", text)).toEqual([["up", 5]]);
  });

  it("leave out lines that only import or declare", () => {
    const text = `import a from "x";\nexport * from "./y";\ntype T = {\n  a: string;\n};\n\n// words\nconst one = 1;\n`;
    expect([...readWrittenCode("a.ts", text)!.silentLines].toSorted((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 9,
    ]);
  });

  it("are found in any text in finite time, and lie inside of their parents", () => {
    const pieces = fc.constantFrom(
      "function f(",
      ") {",
      "}",
      "=> {",
      "(",
      ")",
      "class A {",
      "`${",
      "<p>",
      "</p>",
      "\n",
      "x",
      "async ",
      "*/",
      "/*",
      "'",
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 60 }),
        fc.constantFrom("a.tsx", "a.vue", "a.js"),
        (parts, path) => {
          const { functions } = readWrittenCode(path, parts.join(""))!;
          for (const { parent, line, endLine } of functions) {
            expect(endLine).toBeGreaterThanOrEqual(line);
            const around = parent === undefined ? undefined : functions[parent]!;
            if (around) expect(around.line <= line && around.endLine >= endLine).toBe(true);
          }
        },
      ),
    );
  });

  it("are searched in code, and not in declaration files", () => {
    expect(["a.tsx", "b.mjs", "C.vue", "D.svelte"].every(isCodeFile)).toBe(true);
    expect(["a.d.ts", "b.css", "c.json", "d.py"].some(isCodeFile)).toBe(false);
  });
});

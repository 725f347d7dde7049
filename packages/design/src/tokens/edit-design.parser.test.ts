import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse as edit } from "./edit-design.parser.ts";
import { parse as read } from "./read-design.parser.ts";

const write = (text: string, edits: Parameters<typeof edit>[1], path = "src/index.css") => {
  const result = edit([{ path, text }], edits);
  return "refused" in result
    ? result.refused
    : Object.fromEntries(result.files.map((one) => [one.path, one.text]));
};

describe("a value that is written", () => {
  it("changes no other character, in any mode", () => {
    const text = `\uFEFF/* --a: no */\r\n:root{--a : #fff!important;\r\n\t--b:light-dark( red , blue )}\r\n.dark{--a:#000;--b:1px}`;
    expect(
      write(text, [
        { name: "--a", mode: "base", value: "#123456" },
        { name: "--a", mode: ".dark", value: "oklch(1 0 0)" },
        { name: "--b", mode: "dark", value: "navy" },
      ]),
    ).toEqual({
      "src/index.css": `\uFEFF/* --a: no */\r\n:root{--a : #123456!important;\r\n\t--b:light-dark( red , navy )}\r\n.dark{--a:oklch(1 0 0);--b:1px}`,
    });
  });

  it("writes nothing where nothing changes", () => {
    expect(write(":root { --a: 1px }", [{ name: "--a", mode: "base", value: "1px" }])).toEqual({});
  });

  it("cannot end the declaration, the rule or the element around it", () => {
    for (const value of [
      "red; color: blue",
      "red }",
      "{",
      "a /* ",
      "</style>",
      "url(",
      "'",
      "a\nb",
      "red !important",
      "",
      " x",
    ])
      expect(write(":root { --a: 1px }", [{ name: "--a", mode: "base", value }])).toMatchObject({
        code: "bad-token-value",
      });
  });

  it("is read back, and every other byte of the file is unchanged", () => {
    const ident = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/);
    const value = fc.oneof(
      fc.constantFrom(
        "#fff",
        "1rem",
        "'a', serif",
        "hsl(var(--x) / 50%)",
        "0 1px 2px rgb(0 0 0 / 10%)",
      ),
      ident,
    );
    const space = fc.constantFrom("", " ", "\n  ", "\r\n\t", "/* ; } */");
    const declaration = fc.record({ name: ident, value, a: space, b: space });
    const filler = fc.constantFrom(
      "",
      "p{color:red}",
      "@media print{a{b:c}}\n",
      "/*:root{--q:1}*/",
      "@layer x;",
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(declaration, { minLength: 1, maxLength: 6, selector: ({ name }) => name }),
        filler,
        filler,
        value,
        fc.nat(),
        (declarations, head, tail, next, pick) => {
          const parts = declarations.map(
            ({ name, value: old, a, b }) => [`${a}--${name}:${b}`, old] as const,
          );
          const chosen = pick % parts.length;
          const around = (values: readonly string[]) =>
            `${head}:root{${parts.map(([before], i) => before + values[i]).join(";")}}${tail}`;
          const before = around(parts.map(([, old]) => old));
          const after = around(parts.map(([, old], i) => (i === chosen ? next : old)));
          const name = `--${declarations[chosen]!.name}`;
          const written = write(before, [{ name, mode: "base", value: next }]);
          expect(written).toEqual(before === after ? {} : { "src/index.css": after });
          const token = read([{ path: "a.css", text: after }]).tokens.find(
            (one) => one.name === name,
          );
          expect(token?.values["base"]).toBe(next);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("never breaks a file that is broken already, nor throws on any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 60 }),
        fc.string({ maxLength: 12 }),
        (rest, value) => {
          const text = `:root { --a: 1px; } ${rest}`;
          const result = edit([{ path: "a.css", text }], [{ name: "--a", mode: "base", value }]);
          if ("refused" in result) return;
          for (const file of result.files)
            expect(read([file]).tokens.find(({ name }) => name === "--a")?.values["base"]).toBe(
              value,
            );
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("a token that is added", () => {
  it("is added after the last one of its mode, with the same indentation", () => {
    const text = ":root {\n    --a: 1px;\n    --b: 2px\n}\n\np { color: red }\n";
    expect(
      write(text, [
        { name: "--c", mode: "base", value: "3px" },
        { name: "--d", mode: "base", value: "4px" },
      ]),
    ).toEqual({
      "src/index.css":
        ":root {\n    --a: 1px;\n    --b: 2px;\n    --c: 3px;\n    --d: 4px;\n}\n\np { color: red }\n",
    });
  });

  it("makes the rule for the system's dark scheme where there is none", () => {
    expect(
      write("@layer base { :root { --a: #fff } }\np {}", [
        { name: "--a", mode: "dark", value: "#000" },
      ]),
    ).toEqual({
      "src/index.css":
        "@layer base { :root { --a: #fff } }\n\n@media (prefers-color-scheme: dark) {\n  :root {\n    --a: #000;\n  }\n}\np {}",
    });
  });

  it("is refused in a mode that the project does not have, or under a name that is none", () => {
    expect(write(":root{--a:1}", [{ name: "--b", mode: ".dark", value: "1" }])).toMatchObject({
      code: "no-such-mode",
    });
    expect(write(":root{--a:1}", [{ name: "--b;c", mode: "base", value: "1" }])).toMatchObject({
      code: "bad-token-name",
    });
  });

  it("gets a file of its own in a project without tokens, which the style sheet imports", () => {
    const edits = [
      { name: "--a", mode: "base", value: "#fff" },
      { name: "--a", mode: "dark", value: "#000" },
    ];
    const dark = "\n\n@media (prefers-color-scheme: dark) {\n  :root {\n    --a: #000;\n  }\n}\n";
    expect(write('@charset "utf-8";\n@import "x.css";\nbody {}', edits)).toEqual({
      "src/index.css": '@charset "utf-8";\n@import "x.css";\n@import "./tokens.css";\nbody {}',
      "src/tokens.css": `:root {\n  --a: #fff;\n}${dark}`,
    });
    expect(write('@import "tailwindcss";', edits)).toMatchObject({
      "src/tokens.css": `@theme {\n  --a: #fff;\n}${dark}`,
    });
    expect(write("<head><style>body{}</style></head>", edits, "index.html")).toMatchObject({
      "index.html": '<head><style>@import "./tokens.css";\nbody{}</style></head>',
    });
    expect(write("<p>", edits, "index.html")).toEqual({ code: "no-stylesheet" });
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findEllipsis } from "./ellipsis.ts";
import { judgeWrite } from "./judge-write.ts";

describe("an ellipsis that stands for omitted text", () => {
  it.each([
    ["a.ts", "// ... 现有代码保持不变 ..."],
    ["a.ts", "// …"],
    ["a.tsx", "{/* ... resto del componente ... */}"],
    ["a.css", "/* … übrige Regeln … */"],
    ["a.py", "# ... बाकी कोड वही रहेगा"],
    ["a.html", "<!-- ... остальное без изменений ... -->"],
    ["a.sql", "-- ... il resto ..."],
    ["a.js", "..."],
    ["a.js", "  // mevcut kod aynı kalır ..."],
  ])("is found in %s: %s", (path, line) => {
    expect(findEllipsis(path, `one\n${line}\ntwo\n`)).toBe(line.trim());
  });

  it.each([
    ["a.ts", "const all = [...one, ...two];"],
    ["a.ts", 'const word = "…";'],
    ["a.ts", "// f(...rest) is called; x = { ...y }"],
    ["a.py", "def f() -> None: ..."],
    ["a.py", "    ..."],
    ["a.yaml", "..."],
    ["a.md", "# And so on..."],
    ["a.md", "..."],
    ["a.txt", "// ..."],
  ])("is not found in %s: %s", (path, line) => {
    expect(findEllipsis(path, `one\n${line}\ntwo\n`)).toBeUndefined();
  });

  it("is accepted if the file already contains it", () => {
    expect(findEllipsis("a.ts", "// ... wait ...\nb", "a\n  // ... wait ...\n")).toBeUndefined();
  });
});

const place = (before: string | undefined) => ({ before, hasFolder: async () => true });

describe("a proposed write", () => {
  it("is refused if it lacks half of the file's declarations", async () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{4,8}$/), {
      minLength: 3,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(names, fc.nat(), async (all, seed) => {
        const code = (some: string[]) => some.map((name) => `export function ${name}_() {\n  return 1;\n}\n`).join(""); // prettier-ignore
        const held = all.slice(0, 1 + (seed % Math.floor(all.length / 2)));
        const content = code(held);
        const { go } = await judgeWrite({ path: "a.ts", content, by: "label" }, place(code(all)));
        expect(go).toBe(held.length * 2 > all.length ? "write" : "refuse");
      }),
      { numRuns: 60 },
    );
  });

  it("is accepted if it equals a file's full content, whatever that is", async () => {
    const text = fc.string({ minLength: 1, maxLength: 400 }).filter((one) => one.trim() !== "");
    const paths = fc.constantFrom("a.ts", "a.json", "a.css", "a.html", "a.md", "a.py", "a.txt");
    await fc.assert(
      fc.asyncProperty(paths, text, async (path, content) => {
        const { go } = await judgeWrite({ path, content, by: "sentence" }, place(content));
        expect(go).toBe("write");
      }),
      { numRuns: 200 },
    );
  });

  it.each([null, "binary"])("is not what cannot be compared or is empty", async (before) => {
    const content =
      before === null
        ? "is refused if the old file cannot be compared or the content is empty"
        : "\n";
    const { go } = await judgeWrite(
      { path: "a.ts", content, by: "label" },
      { ...place(""), before },
    );
    expect(go).toBe("refuse");
  });
});

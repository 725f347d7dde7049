import { stripTypeScriptTypes } from "node:module";
import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stepExamples } from "@treadle/protocol/checks";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { exportChecks, exportedFiles } from "./export-checks.ts";

const folder = mkdtempSync(join(tmpdir(), "treadle-export-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Throws if the text is not TypeScript. */
const parse = (text: string) => new Function(stripTypeScriptTypes(text).replaceAll(/^(?:import .*;|export )/gm, "").replace(/^default /m, "return ").replace(/^test\b/m, "async () => test")); // prettier-ignore

describe("exported checks", () => {
  it("are code for every form of a step, each below its words", () => {
    const all = stepExamples();
    const dates = all.filter((one) => one.startsWith("on "));
    const text = [...dates, ...all.filter((one) => !dates.includes(one))];
    for (const step of text) {
      const files = exportedFiles(`## One\n- ${step}\n`, "npm run dev");
      expect([step, [...files.keys()]]).toEqual([step, ["playwright.config.ts", "steps.ts", "one.spec.ts"]]); // prettier-ignore
      for (const content of files.values()) expect(() => parse(content), step).not.toThrow();
      const spec = files.get("one.spec.ts")!;
      expect(spec.match(/^ {2}(?:await|answer|expect|const|let)/gm)?.length).toBeGreaterThan(1);
    }
  });

  it("stay code whatever texts and names they contain", () => {
    const hostile = '"); process.exit(1); (" \\n`${x}` \\u2028 */ //';
    const text = `## ${hostile}\n- type ${JSON.stringify(hostile)} in "a\u2028b{new}"\n- expect "x{new}"\n## B\n- expect "${hostile.replaceAll('"', "'")}"\n`;
    const files = exportedFiles(text, undefined);
    expect([...files.keys()]).toContain("serve.mjs");
    for (const [name, content] of files)
      if (name.endsWith(".spec.ts")) {
        expect(() => parse(content), content).not.toThrow();
        expect(content).not.toMatch(/^\s*process\.exit/m);
      }
  });

  it("leave an invalid step and its check to be fixed", () => {
    const files = exportedFiles("## A\n- fly away\n- reload\n## B\n- reload\n", "npm start");
    expect(files.get("a.spec.ts")).toContain("test.fixme(");
    expect(files.get("b.spec.ts")).not.toContain("fixme");
    expect(files.get("unread.spec.ts")).toContain("fly away");
  });

  it("have separate files even if their names are similar", () => {
    const files = exportedFiles("## A!\n- reload\n## A?\n- reload\n## ?\n- reload\n", "x");
    expect([...files.keys()].slice(2)).toEqual(["a.spec.ts", "a-2.spec.ts", "check.spec.ts"]);
  });

  it("start the app with its own script, and are written only inside the project", async () => {
    writeFileSync(join(folder, "package.json"), '{"scripts":{"start":"node ."}}');
    const to = join(folder, "playwright");
    expect(await exportChecks(folder, to, "## A\n- reload")).toMatchObject({
      files: expect.arrayContaining(["playwright/a.spec.ts"]),
    });
    expect(readFileSync(join(to, "playwright.config.ts"), "utf8")).toContain('"npm run start"');
    const elsewhere = mkdtempSync(join(tmpdir(), "treadle-elsewhere-"));
    onTestFinished(() => rmSync(elsewhere, { recursive: true }));
    const outside = join(elsewhere, "exported");
    expect(await exportChecks(folder, outside, "## A\n- reload")).toHaveProperty("problem");
    symlinkSync(elsewhere, join(folder, "link"));
    const linked = await exportChecks(folder, join(folder, "link"), "## Linked\n- reload");
    expect(linked).toHaveProperty("problem");
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

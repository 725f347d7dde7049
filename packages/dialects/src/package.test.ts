import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const docs = readFileSync(join(root, "../../docs/dialects.md"), "utf8");
const scratch = mkdtempSync(join(tmpdir(), "treadle-dialects-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let count = 0;
async function bundle(source: string): Promise<string> {
  const entry = join(scratch, `${count++}.js`);
  writeFileSync(entry, source);
  const build = await rolldown({ input: entry, logLevel: "silent" });
  const { output } = await build.generate({ format: "esm", minify: true });
  return output[0].code;
}

const from = JSON.stringify(join(root, "src/index.ts"));
const part = (name: string) => JSON.stringify(join(root, `src/${name}/index.ts`));

test("the package has no dependency", () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(manifest.dependencies).toEqual({});
});

test("the exports have a condition that leads to the sources", () => {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const file of ["apps/web/tsconfig.json", "tsconfig.tests.json"]) {
    const config = JSON.parse(readFileSync(join(root, "../..", file), "utf8"));
    const { customConditions: conditions = [] } = config.compilerOptions;
    for (const entry of [".", "./*"]) {
      const [taken = "none"] = Object.keys(exports[entry]).filter((one) =>
        conditions.includes(one),
      );
      expect([file, entry, exports[entry][taken]]).toEqual([
        file,
        entry,
        expect.stringMatching(/^\.\/src\/.*\.ts$/),
      ]);
    }
  }
});

/** Compares a size in docs/dialects.md, in KB gzip, with the measured one. */
async function expectDocumented(before: string, code: string): Promise<void> {
  const [, behind = ""] = docs.split(before);
  const [claimed] = /^\s\d+\.\d/.exec(behind) ?? [];
  const measured = gzipSync(await bundle(code)).length / 1024;
  expect([before, claimed?.trim()]).toEqual([before, measured.toFixed(1)]);
}

test.each([
  ["Alone: `createArtifactParser`", "artifact", "createArtifactParser", 6.1],
  ["(with `recoverFences`", "artifact", "createArtifactParser, recoverFences", 9.75],
  ["; `createLenientArtifactParser`", "artifact", "createLenientArtifactParser", 14.4],
  ["`createToolTagParser`", "tool-tags", "createToolTagParser", 5.05],
  ["`createArgumentReader`", "json-arguments", "createArgumentReader", 1.2],
  ["`applyEdits` alone", "edits", "applyEdits", 5.05],
])("%s is as small as the docs say", async (before, from, readers, limit) => {
  const code = `export { ${readers} } from ${part(from)};`;
  await expectDocumented(before, code);
  expect(gzipSync(await bundle(code)).length / 1024).toBeLessThanOrEqual(limit);
});

test("both parsers and applyEdits together are at most 12.8 KB gzip", async () => {
  const code = `export { createArtifactParser, createToolTagParser, applyEdits } from ${from};`;
  await expectDocumented("Both parsers and `applyEdits` together", code);
  expect(gzipSync(await bundle(code)).length / 1024).toBeLessThanOrEqual(12.8);
});

test("the main entry contains the main functions, at most 16.1 KB gzip, and nothing of Node", async () => {
  const code = await bundle(`export * from ${from};`);
  expect(Object.keys(await import("./index.ts")).toSorted()).toEqual([
    "applyEdits",
    "applyPatch",
    "createArtifactParser",
    "createToolTagParser",
    "parsePatch",
    "parseSearchReplace",
  ]);
  await expectDocumented("The main entry whole", `export * from ${from};`);
  expect(gzipSync(code).length / 1024).toBeLessThanOrEqual(16.1);
  expect(code).not.toMatch(/node:|\bprocess\b|\bBuffer\b|\brequire\(/);
});

const CHECK = `
  let content = "";
  const parser = api.createArtifactParser({ onEvent: (e) => { if (e.type === "action-close") content = e.content; } });
  for (const c of '<boltArtifact id="a"><boltAction type="file" filePath="a.ts">one</boltAction></boltArtifact>') parser.write(c);
  parser.end();
  const edited = api.applyEdits(content, [{ old: "one", new: "two" }]);
  const answer = "it says " + (edited.ok ? edited.content.trim() : "nothing");
`;

test("it runs in a browser", { timeout: 60_000 }, async () => {
  const browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
    existsSync,
  );
  expect(browser, "a Chromium is needed to run this").toBeDefined();
  const code = await bundle(
    `import * as api from ${from};\n${CHECK}\ndocument.body.textContent = answer;`,
  );
  const page = join(scratch, "page.html");
  writeFileSync(page, `<body><script>(() => {${code}})()</script></body>`);
  const shown = execFileSync(
    browser!,
    [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--user-data-dir=${join(scratch, "profile")}`,
      "--dump-dom",
      pathToFileURL(page).href,
    ],
    { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], timeout: 50_000 },
  );
  expect(shown).toContain("it says two");
});

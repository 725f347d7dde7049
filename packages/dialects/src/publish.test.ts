/**
 * The published package: packed from its sources, installed from the tarball into an empty project,
 * offline.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installPacked, REPOSITORY } from "./install-packed.test-support.ts";

const execute = promisify(execFile);
const scratch = mkdtempSync(join(tmpdir(), "treadle-publish-"));
const project = join(scratch, "project");
const installed = join(project, "node_modules/@treadle/dialects");
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** An answer of a model; the examples edit the file in it. */
const ANSWER = `Here it is.
<boltArtifact id="app" title="Counter"><boltAction type="file" filePath="src/App.tsx">
<button>{count + 1}</button>
</boltAction></boltArtifact>
Done.`;

function examples(language: string): string[] {
  const text = readFileSync(join(installed, "README.md"), "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm"))].map(([, code]) => code!); // prettier-ignore
}

beforeAll(async () => {
  await installPacked(["dialects"], scratch);
}, 120_000);

test("the tarball contains the exported files and the licence, and no tests", async () => {
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const targets = Object.values(manifest.exports["."] as Record<string, string>);
  for (const target of targets) expect(existsSync(join(installed, target)), target).toBe(true);
  for (const file of ["LICENSE", "README.md"]) expect(existsSync(join(installed, file))).toBe(true);
  expect(manifest).toMatchObject({ license: "MIT", type: "module", dependencies: {} });
  const { stdout } = await execute("tar", ["-tzf", join(scratch, "treadle-dialects-0.1.0.tgz")]);
  expect(stdout).not.toMatch(/\.test|soak|tsbuildinfo/);
  expect(stdout).toMatch(/^package\/dist\/edits\/apply\.js$/m);
});

test("consumers get the built files unless they ask for the sources", async () => {
  const ask = 'console.log(import.meta.resolve("@treadle/dialects"))';
  const { stdout } = await execute(process.execPath, ["--input-type=module", "-e", ask], {
    cwd: project,
  });
  expect(stdout).toContain("/dist/index.js");
});

test("each part can be imported separately", async () => {
  const ask = `const { applyEdits } = await import("@treadle/dialects/edits");
    const { meantCommand } = await import("@treadle/dialects/meant");
    console.log(applyEdits("a", [{ old: "a", new: "b" }]).content, typeof meantCommand);`;
  const { stdout } = await execute(process.execPath, ["--input-type=module", "-e", ask], {
    cwd: project,
  });
  expect(stdout).toBe("b function\n");
});

test("the README's example for Node runs there", async () => {
  const [example] = examples("js");
  expect(example!.trimEnd().split("\n").length).toBeLessThanOrEqual(20);
  writeFileSync(join(project, "example.mjs"), example!);
  const running = execute(process.execPath, ["example.mjs"], { cwd: project });
  running.child.stdin!.end(ANSWER);
  const { stdout, stderr } = await running;
  expect(stderr).toBe("");
  expect(stdout).toContain("Here it is.");
  expect(stdout).toContain("src/App.tsx: <button>{count + 2}</button>");
});

test("the README's example for browsers runs there", { timeout: 90_000 }, async () => {
  const [example] = examples("html");
  expect(example!.trimEnd().split("\n").length).toBeLessThanOrEqual(20);
  writeFileSync(join(project, "index.html"), example!);
  writeFileSync(join(project, "answer.txt"), ANSWER);
  const shown = await dumpOf("index.html");
  expect(shown).toContain("src/App.tsx");
  expect(shown).toContain("&lt;button&gt;{count + 2}&lt;/button&gt;");
});

test("its types work in a project that does not resolve sources", { timeout: 90_000 }, async () => {
  writeFileSync(
    join(project, "use.ts"),
    `import { applyEdits, createArtifactParser, type ArtifactEvent, type EditResult } from "@treadle/dialects";
const seen: ArtifactEvent[] = [];
createArtifactParser({ onEvent: (event) => seen.push(event) }).end();
export const result: EditResult = applyEdits("a", [{ old: "a", new: "b" }]);
// @ts-expect-error an edit has an old text
applyEdits("a", [{ new: "b" }]);
`,
  );
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--types", ""];
  await execute(process.execPath, [join(REPOSITORY, "node_modules/typescript/bin/tsc"), ...options, "use.ts"], { cwd: project }); // prettier-ignore
});

/** The document of a page served over HTTP, once nothing is loading any more. */
async function dumpOf(page: string): Promise<string> {
  const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };
  const server = createServer((request, response) => {
    const path = join(project, new URL(request.url ?? "/", "http://x").pathname);
    if (!existsSync(path)) return void response.writeHead(404).end();
    response.setHeader("content-type", types[extname(path)] ?? "text/plain");
    response.end(readFileSync(path));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  // The headless shell used by other tests cannot print a document, so the system's browser comes
  // first.
  const browser = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    process.env["TREADLE_CHROMIUM"] ?? "",
  ].find(existsSync);
  expect(browser, "a Chromium is needed to run this").toBeDefined();
  try {
    const { stdout } = await execute(browser!, [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--user-data-dir=${join(scratch, "profile")}`,
      // Virtual time stops while something is loading, so the page is not read too early.
      "--virtual-time-budget=20000",
      "--dump-dom",
      `http://127.0.0.1:${port}/${page}`,
    ]);
    return stdout;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

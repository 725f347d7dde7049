/** Proves what would be delivered: the files, and what installing them brings. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { runTreadle } from "./support/run-treadle.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(files: Record<string, unknown> = {}): string {
  const made = mkdtempSync(join(tmpdir(), "treadle-clean-"));
  folders.push(made);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(made, path)), { recursive: true });
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(join(made, path), text);
  }
  return made;
}

async function check(files: Record<string, unknown>) {
  const { code, stdout } = await runTreadle(["check", folder(files), "--data", folder()]);
  return { code, stdout };
}

/** A page that shows text from a package in the project's own `lib`; nothing is downloaded. */
const app = (more: Record<string, unknown> = {}) => ({
  "package.json": {
    name: "app",
    version: "1.0.0",
    scripts: { dev: "node server.js" },
    dependencies: { lib: "file:lib" },
    ...more,
  },
  "lib/package.json": { name: "lib", version: "1.0.0" },
  "lib/index.js": 'module.exports = "Hello from lib";',
  "server.js": `const words = require("lib");
require("node:http").createServer((_request, response) => {
  response.setHeader("content-type", "text/html");
  response.end('<!doctype html><html lang="en"><title>App</title><h1>' + words + "</h1>");
}).listen(3000);`,
});
const INSTALLED = { "node_modules/lib/package.json": { name: "lib", version: "1.0.0" } };

it("reports that a fresh copy of a project with local packages starts", async () => {
  const { code, stdout } = await check(app());
  expect(stdout).toMatch(/✓ install .*a fresh copy comes up/);
  expect(code).toBe(0);
});

it("fails a project that needs a package which package.json does not list", async () => {
  const { code, stdout } = await check({
    ...app(),
    ...INSTALLED,
    "node_modules/lib/index.js": 'module.exports = require("extra");',
    "node_modules/extra/package.json": { name: "extra", version: "1.0.0" },
    "node_modules/extra/index.js": 'module.exports = "Hello";',
    "lib/index.js": 'module.exports = require("extra");',
  });
  expect(stdout).toMatch(/a fresh copy does not come up/);
  expect(code).toBe(1);
});

it("fails a project whose own install script fails", async () => {
  const { code, stdout } = await check({
    ...app({
      scripts: {
        dev: "cd api && node ../server.js",
        "install:all": "npm install && npm --prefix api install",
      },
    }),
    "api/package.json": {
      name: "api",
      version: "1.0.0",
      dependencies: { gone: "file:../gone.tgz" },
    },
    "api/node_modules/gone/package.json": { name: "gone", version: "1.0.0" },
  });
  expect(stdout).toMatch(/a fresh copy does not come up: npm run install:all/);
  expect(code).toBe(1);
});

import { expect, it } from "vitest";
import { findError } from "./find-error.ts";

it.each([
  ["node", "server.js:3", "    foo.bar();", "    ^", "", "ReferenceError: foo is not defined"],
  ["node", "Error: Cannot find module 'express'", "Require stack:"],
  ["assert", "AssertionError [ERR_ASSERTION]: 1 == 2"],
  ["a browser", "Uncaught TypeError: Cannot read properties of undefined (reading 'map')"],
  ["tsc", "src/App.tsx:3:7 - error TS2304: Cannot find name 'x'."],
  ["tsc", "src/App.tsx(3,7): error TS2304: Cannot find name 'x'."],
  ["vite", "10:32:11 AM [vite] Internal server error: Failed to resolve import './x'"],
  ["vite", "[vite] (client) Pre-transform error: Unexpected token (3:1)"],
  ["esbuild", '✘ [ERROR] Could not resolve "./x"'],
  ["webpack", "ERROR in ./src/index.js"],
  ["ESLint", "  12:7  error  'a' is not defined  no-undef"],
  ["vitest", " FAIL  src/a.test.ts > adds".trimStart()],
  ["npm", 'npm error Missing script: "dev"'],
  ["an old npm", "npm ERR! code ENOENT"],
  ["git", "fatal: not a git repository"],
  ["Rust", "error[E0308]: mismatched types"],
  ["C", "main.c:3:1: error: expected ';'"],
  ["Go", "panic: runtime error: index out of range"],
  ["Python", "Traceback (most recent call last):"],
  ["Python", "ModuleNotFoundError: No module named 'flask'"],
  ["Java", "java.lang.IllegalStateException: closed"],
  ["the shell", "bash: vite: command not found"],
])("detects that %s failed", (_program, ...lines) => {
  expect(findError(["$ it", ...lines, "$ "])).toBeTruthy();
});

it.each([
  ["Found 0 errors. Watching for file changes."],
  ["✓ 12 tests passed, 0 errors"],
  ["src/error.ts 3 kB"],
  ["$ git commit -m 'fix: TypeError: x in the list'"],
  ["handles an Error: shows the reason"],
  ["GET /api/errors 200"],
  ["no errors"],
  ["errors.md  README.md"],
])("detects nothing in: %s", (line) => {
  expect(findError([line])).toBeUndefined();
});

it("returns the first of several errors, and none that was resolved", () => {
  expect(findError(["a", "TypeError: one", "Error: two"])).toBe("TypeError: one");
  expect(findError(["SyntaxError: x", "VITE v8  ready in 300 ms"])).toBeUndefined();
  expect(findError(["[vite] Internal server error: x", "[vite] hmr update /src/App.tsx"])).toBe(
    undefined,
  );
});

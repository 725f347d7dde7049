import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readApp, readSources } from "./read-app.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "treadle-app-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text = "") {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const scripts = JSON.stringify({ scripts: { "install:all": "npm install", dev: "vite" } });

it("finds the app in the folder, with its parts and its first SQL file", () => {
  write("package.json", scripts);
  write("frontend/package.json");
  write("backend/package.json");
  write("b.sql");
  write("a.sql");
  expect(readApp(folder)).toEqual({
    root: ".",
    missing: [],
    hasBackend: true,
    hasFrontend: true,
    firstSql: "a.sql",
  });
});

it("finds it in the only subfolder, and not in one of several", () => {
  write("site/package.json", scripts);
  expect(readApp(folder)).toMatchObject({ root: "site", missing: [] });
  write("readme.md");
  expect(readApp(folder)).toMatchObject({ root: ".", missing: ["package.json"] });
});

it.each([
  ["{}", ["install:all", "dev"]],
  ['{"scripts":{"dev":5}}', ["install:all", "dev"]],
  ['{"scripts":[]}', ["install:all", "dev"]],
  ["{", ["package.json"]],
  ["null", ["package.json"]],
])("lists what a package.json of %s lacks", (text, missing) => {
  write("package.json", text);
  expect(readApp(folder).missing).toEqual(missing);
});

it("follows no link out of an app", () => {
  symlinkSync("/etc/hostname", join(folder, "package.json"));
  symlinkSync("/etc", join(folder, "backend"));
  expect(readApp(folder)).toMatchObject({ missing: ["package.json"], hasBackend: false });
});

it("reads the program files in order, without packages", () => {
  write("backend/src/app.ts", "a");
  write("backend/node_modules/x/index.js", "b");
  write("frontend/main.jsx", "c");
  write("notes.md", "d");
  symlinkSync("/etc/hostname", join(folder, "link.js"));
  expect(readSources(folder)).toEqual([
    { path: "backend/src/app.ts", text: "a" },
    { path: "frontend/main.jsx", text: "c" },
  ]);
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toProjectPath } from "@treadle/protocol/project-path";
import { MemoryWorkspace } from "@treadle/workspace/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { appData, keepFilesBefore, keepFilesStarted } from "./app-data.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "app-data-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function workspaceOf(files: Record<string, string>) {
  const workspace = new MemoryWorkspace();
  const write = (more: Record<string, string>) => {
    for (const [path, text] of Object.entries(more)) workspace.put(toProjectPath(path), text);
  };
  write(files);
  return { workspace, write };
}

it("a file of the build or the sources counts as data once the app has changed it", async () => {
  const { workspace, write } = workspaceOf({
    "server.js": "1",
    "data/store.json": "[]",
    "data/countries.json": "[1]",
  });
  await keepFilesBefore(workspace, folder);
  expect(await appData(workspace, folder)).toEqual([]);
  write({ "data/store.json": '["Ada"]', "server.js": "2" });
  expect(await appData(workspace, folder)).toEqual(["data/store.json"]);
});

it("files written beside a built server are data, files written by the build are not", async () => {
  const { workspace, write } = workspaceOf({
    "dist/server.js": "1",
    "dist/data/cities.json": "[]",
    "dist/assets/logo.png": "logo",
    ".output/server/index.mjs": "1",
    "build/regions.sqlite": "regions",
  });
  await keepFilesBefore(workspace, folder);
  write({
    "dist/uploads/cat.png": "cat",
    "dist/rows.sqlite": "rows",
    "dist/index.html": "made at its start",
    ".output/public/uploads/dog.png": "dog",
    ".output/server/store.json": "[]",
    "node_modules/.cache/uploads/x.png": "x",
  });
  expect((await appData(workspace, folder)).toSorted()).toEqual([
    ".output/public/uploads/dog.png",
    ".output/server/store.json",
    "dist/rows.sqlite",
    "dist/uploads/cat.png",
  ]);
});

it("Markdown pages written or changed by the app are data, as in a wiki", async () => {
  const { workspace, write } = workspaceOf({ "README.md": "x", "pages/home.md": "Hello" });
  await keepFilesBefore(workspace, folder);
  write({ "pages/home.md": "Hello Ada", "pages/new.md": "Hi", ".cache/pages/new.md": "Hi" });
  expect((await appData(workspace, folder)).toSorted()).toEqual(["pages/home.md", "pages/new.md"]);
});

it("pictures, pages and settings created during use are data, those created at the start are not", async () => {
  const { workspace, write } = workspaceOf({ "public/logo.svg": "logo", "settings.yaml": "a: 1" });
  await keepFilesBefore(workspace, folder);
  write({ "public/index.html": "made at its start", "app.js": "made" });
  expect(await appData(workspace, folder)).toEqual([]);
  await keepFilesStarted(workspace, folder);
  write({
    "public/index.html": "made again",
    "settings.yaml": "a: 2",
    "public/drawings/1.svg": "drawn",
    "sites/ada/index.html": "hers",
    "sites/ada/theme.yaml": "blue",
    "sites/ada/made.js": "of what?",
    "page-cache/home.html": "made anew",
    "tmp/x.html": "made anew",
    "dist/x.html": "made by a framework",
    ".next/server/x.html": "made by a framework",
  });
  expect((await appData(workspace, folder)).toSorted()).toEqual([
    "public/drawings/1.svg",
    "sites/ada/index.html",
    "sites/ada/theme.yaml",
  ]);
});

it("databases are recognised in a release without recorded files", async () => {
  const { workspace } = workspaceOf({ "app.sqlite": "rows", "uploads/cat.png": "cat" });
  expect(await appData(workspace, folder)).toEqual(["app.sqlite"]);
});

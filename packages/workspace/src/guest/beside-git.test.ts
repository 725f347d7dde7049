import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findRepositories } from "../repositories/find-repositories.ts";
import { createFiles } from "./files.ts";
import { createMadeRepositories } from "./made-repositories.ts";

const run = promisify(execFile);
const ADDS = 40;
const PLACE = "src/.treadle-writing/.git";
const FOLDERS = ["", "src/", "src/deep/"];

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "treadle-beside-git-"));
  execFileSync("git", ["init", "-q"], { cwd: root });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Writes until told to stop, with several writes at once in each folder. */
async function write(isOver: () => boolean): Promise<number> {
  const files = createFiles(root);
  let written = 0;
  const hand = async (path: string) => {
    for (; !isOver(); written++)
      await files.write(toProjectPath(path), Buffer.from(`${written}\n`));
  };
  await Promise.all(FOLDERS.flatMap((folder) => [1, 2, 3].map((n) => hand(`${folder}${n}.txt`))));
  return written;
}

it("lets the person's git see finished files only, never their drafts", async () => {
  let isOver = false;
  const writing = write(() => isOver);
  for (let n = 0; n < ADDS; n++) await run("git", ["add", "-A"], { cwd: root });
  isOver = true;
  expect(await writing).toBeGreaterThan(ADDS);
  const names = (await run("git", ["ls-files"], { cwd: root })).stdout.trim().split("\n");
  expect(names.toSorted()).toEqual(
    FOLDERS.flatMap((folder) => [1, 2, 3].map((n) => `${folder}${n}.txt`)).toSorted(),
  );
  expect(readdirSync(root).toSorted()).toEqual([".git", "1.txt", "2.txt", "3.txt", "src"]);
});

it("recreates a folder that is cleaned up while files are written into it", async () => {
  let isOver = false;
  const writing = write(() => isOver);
  for (let n = 0; n < ADDS; n++)
    // Git may fail to remove a folder that is being filled; that does not matter here.
    await run("git", ["clean", "-fdq"], { cwd: root }).catch(() => undefined);
  isOver = true;
  expect(await writing).toBeGreaterThan(ADDS);
});

it("does not treat the drafts folder as a repository made inside, unless it becomes one", async () => {
  const setAside = createMadeRepositories(root, []);
  const files = createFiles(root);
  const draft = await files.draft(toProjectPath("src/a.txt"));
  await draft.append(Buffer.from("one"));
  expect(setAside()).toEqual([]);
  expect(existsSync(join(root, PLACE))).toBe(true);
  // A program that is fast enough to write here.
  writeFileSync(join(root, PLACE, "HEAD"), "ref: refs/heads/main\n");
  expect(setAside()).toEqual(["src/.treadle-writing/.git-made-in-sandbox"]);
  await draft.commit(undefined);
  expect(readFileSync(join(root, "src/a.txt"), "utf8")).toBe("one");
});

it("writes the draft beside the file if the name of the drafts folder is taken or is a link", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "treadle-elsewhere-"));
  const files = createFiles(root);
  const makers = [
    () => writeFileSync(join(root, ".treadle-writing"), ""),
    () => symlinkSync(elsewhere, join(root, ".treadle-writing")),
  ];
  for (const make of makers) {
    make();
    await files.write(toProjectPath("a.txt"), Buffer.from("one"));
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one");
    expect(readdirSync(root).toSorted()).toEqual([".git", ".treadle-writing", "a.txt"]);
    rmSync(join(root, ".treadle-writing"));
    rmSync(join(root, "a.txt"));
  }
  expect(readdirSync(elsewhere)).toEqual([]);
  rmSync(elsewhere, { recursive: true });
});

it("removes what a killed guest left, on the host, and does not treat it as a repository of the person", async () => {
  mkdirSync(join(root, PLACE), { recursive: true });
  writeFileSync(join(root, PLACE, "0123456789abcdef-1"), "half");
  const found = await findRepositories(root, { openUp: false });
  expect(found.map(({ path }) => path)).toEqual([".git"]);
  expect(readdirSync(join(root, "src"))).toEqual([]);
});

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { guardRepositories } from "./guard-repositories.ts";

function makeFolders() {
  const folder = mkdtempSync(join(tmpdir(), "treadle-guard-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const directory = join(folder, "files");
  const stateDirectory = join(folder, "state");
  for (const one of [directory, stateDirectory]) mkdirSync(one);
  const init = (path: string, ...words: string[]) =>
    execFileSync("git", ["init", "-q", ...words, join(directory, path)]);
  const guard = () =>
    guardRepositories({ directory, stateDirectory, handBack: true, mounts: true });
  return { directory, init, guard };
}

it("mounts each of the person's repositories once, nested ones with the outer one (A23)", async () => {
  const { directory, init, guard } = makeFolders();
  init(".");
  init(".git/modules/one", "--bare");
  init("sub");
  mkdirSync(join(directory, "filed"));
  writeFileSync(join(directory, "filed/.git"), "gitdir: ../.git/modules/one\n");
  const { binds } = await (await guard()).prepare();
  expect(binds.map(({ path, writable }) => [path, writable])).toEqual([
    [".git", undefined],
    ["sub/.git", undefined],
    ["filed/.git", undefined],
  ]);
});

it("finds them where they were moved, and recognises them after a kill (A23)", async () => {
  const { directory, init, guard } = makeFolders();
  init("sub");
  const killed = await guard();
  await killed.prepare();
  renameSync(join(directory, "sub"), join(directory, "moved"));
  init("sub");
  const after = await guard();
  expect((await after.prepare()).binds.map(({ path }) => path)).toEqual(["moved/.git", ".git"]);
  expect(await after.close()).toEqual(["sub/.git-made-in-sandbox"]);
});

it("refuses a folder inside a repository, and more repositories than can be mounted (A23)", async () => {
  const bare = makeFolders();
  bare.init(".", "--bare");
  await expect(bare.guard()).rejects.toThrow("the inside of a git repository");
  const many = makeFolders();
  for (let at = 0; at <= 500; at++) {
    mkdirSync(join(many.directory, String(at)));
    writeFileSync(join(many.directory, `${at}/.git`), "gitdir: elsewhere\n");
  }
  await expect(many.guard()).rejects.toThrow("more than 500");
});

it("changes only those of the person's folders that contain a repository made inside", async () => {
  const { directory, guard, init } = makeFolders();
  const modeOf = (path: string) => statSync(join(directory, path)).mode & 0o777;
  for (const name of ["theirs", "made"]) mkdirSync(join(directory, name));
  const opened = await guard();
  await opened.prepare();
  init("made");
  for (const name of ["theirs", "made"]) chmodSync(join(directory, name), 0o555);
  expect(await opened.close()).toEqual(["made/.git-made-in-sandbox"]);
  expect(modeOf("theirs")).toBe(0o555);
});

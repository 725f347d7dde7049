import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@treadle/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { examineData } from "./examine-data.ts";

let dataDirectory: string;
const examine = (repair: boolean) =>
  examineData({ dataDirectory, cacheDirectory: join(dataDirectory, "cache"), repair });
const project = () => join(dataDirectory, "projects", "a");
const state = () => join(project(), "state");

/** Saves a checkpoint of one file in the project's own store. */
function save(content: string): { tree: string; blob: string } {
  const git = (words: string[], input = "") =>
    execFileSync("git", ["--git-dir", join(state(), "checkpoints.git"), ...words], {
      input,
      encoding: "utf8",
    }).trim();
  if (!existsSync(join(state(), "checkpoints.git"))) git(["init", "-q", "--bare"]);
  const blob = git(["hash-object", "-w", "--stdin"], content);
  return { blob, tree: git(["mktree"], `100644 blob ${blob}\ta.txt\n`) };
}

beforeEach(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), "treadle-examined-"));
  const store = await openStore({ directory: dataDirectory });
  await store.projects.create({ id: "a", name: "A", createdAt: 1, updatedAt: 1, capability: "k" });
  await store.close();
  mkdirSync(join(project(), "files"), { recursive: true });
  mkdirSync(state(), { recursive: true });
});
afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }));

describe("the examination of a data folder", () => {
  it("finds nothing wrong after a server ended normally", async () => {
    const { tree } = save("one");
    writeFileSync(
      join(state(), "checkpoints.json"),
      JSON.stringify([{ checkpoint: "c1", revision: "r", label: "", at: 1, tree }]),
    );
    expect(await examine(false)).toEqual([]);
  });

  it("finds files of a project in the person's folder, and reports their path when that is gone", async () => {
    const { tree } = save("one");
    writeFileSync(
      join(state(), "checkpoints.json"),
      JSON.stringify([{ checkpoint: "c1", revision: "r", label: "", at: 1, tree }]),
    );
    const directory = join(dataDirectory, "theirs");
    mkdirSync(directory);
    const store = await openStore({ directory: dataDirectory });
    await store.projects.update("a", { directory });
    await store.close();
    rmSync(join(project(), "files"), { recursive: true });
    expect(await examine(false)).toEqual([]);
    rmSync(directory, { recursive: true });
    expect(await examine(false)).toMatchObject([{ problem: expect.stringContaining(directory) }]);
  });

  it("F7 reports and removes unfinished files of a killed server", async () => {
    mkdirSync(join(project(), "outputs"));
    const left = [
      join(dataDirectory, "token.new"),
      join(project(), "import.zip"),
      join(project(), "outputs", "x.new"),
      join(state(), "checkpoints.json.new"),
    ];
    for (const file of left) writeFileSync(file, "");
    expect(await examine(false)).toHaveLength(left.length);
    expect(left.every((file) => existsSync(file))).toBe(true);
    expect((await examine(true)).map(({ mended: repair }) => repair)).toEqual(
      left.map(() => "it is removed"),
    );
    expect(await examine(false)).toEqual([]);
  });

  it.each([
    ["a list", (records: object[]) => records],
    ["a numbered list", (records: object[]) => ({ next: 3, kept: records })],
  ])("removes only checkpoints in %s form that lost files from the list", async (_, form) => {
    const [first, second] = [save("one"), save("two")];
    const records = [first, second].map(({ tree }, index) => ({
      checkpoint: `c${index + 1}`,
      tree,
    }));
    const list = join(state(), "checkpoints.json");
    writeFileSync(list, JSON.stringify(form(records)));
    const { blob } = second;
    rmSync(join(state(), "checkpoints.git/objects", blob.slice(0, 2), blob.slice(2)));
    expect((await examine(false)).map(({ problem }) => problem)).toEqual([
      "checkpoints that lost files: c2",
    ]);
    expect(await examine(true)).toMatchObject([{ where: "project “A” (a)" }]);
    expect(JSON.parse(readFileSync(list, "utf8"))).toEqual(form(records.slice(0, 1)));
    expect(JSON.parse(readFileSync(`${list}.before-repair`, "utf8"))).toEqual(form(records));
    expect(await examine(false)).toEqual([]);
  });

  it("puts an unreadable list of checkpoints aside", async () => {
    writeFileSync(join(state(), "checkpoints.json"), "[{");
    await examine(true);
    expect(existsSync(join(state(), "checkpoints.json.unreadable"))).toBe(true);
    expect(await examine(false)).toEqual([]);
  });

  it("moves a folder without a project to where it can be found", async () => {
    mkdirSync(join(dataDirectory, "projects", "b"), { recursive: true });
    writeFileSync(join(dataDirectory, "projects", "b", "mine.txt"), "mine");
    expect((await examine(true)).map(({ where }) => where)).toEqual(["projects/b"]);
    const [name = ""] = readdirSync(join(dataDirectory, "lost"));
    expect(readFileSync(join(dataDirectory, "lost", name, "mine.txt"), "utf8")).toBe("mine");
    expect(await examine(false)).toEqual([]);
  });

  it("removes prepared dependencies that no project can use", async () => {
    const trees = join(dataDirectory, "cache", "trees");
    mkdirSync(join(trees, "half", "node_modules"), { recursive: true });
    mkdirSync(join(trees, "empty"), { recursive: true });
    writeFileSync(join(trees, "empty", "tree.json"), "{}");
    expect(await examine(false)).toHaveLength(2);
    await examine(true);
    expect(readdirSync(trees)).toEqual([]);
  });

  it("reports that a server is using the folder, and changes nothing", async () => {
    const store = await openStore({ directory: dataDirectory });
    await expect(examine(true)).rejects.toMatchObject({ code: "busy" });
    await store.close();
  });
});

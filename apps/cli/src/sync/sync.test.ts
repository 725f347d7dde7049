import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"; // prettier-ignore
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { readArguments } from "../arguments/read-arguments.ts";
import { sync } from "./sync.ts";
import { startTestServer, type TestServer } from "../../../../packages/server/src/server.test-support.ts"; // prettier-ignore

let server: TestServer;
let around: string;
let project: string;
let root: string;
beforeAll(async () => {
  around = realpathSync(mkdtempSync(join(tmpdir(), "treadle-sync-")));
  server = await startTestServer();
  await server.listen();
});
afterAll(async () => {
  await server.close();
  rmSync(around, { recursive: true, force: true });
});
let number = 0;
beforeEach(async () => {
  server.turns.splice(0);
  project = await server.project(`Project ${++number}`);
  root = join(around, `theirs-${number}`);
  mkdirSync(root);
});

/** Runs the command as a user types it. */
async function treadle(...words: string[]): Promise<{ status: number; out: string; err: string }> {
  const command = readArguments(["sync", ...words, "--data", server.directory]);
  if (command.kind !== "sync") throw new Error(JSON.stringify(command));
  let out = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((piece) => {
    out += String(piece);
    return true;
  });
  try {
    return { status: await sync(command), out, err: "" };
  } catch (error) {
    return { status: 2, out, err: (error as Error).message };
  } finally {
    write.mockRestore();
  }
}
const once = (...words: string[]) => treadle(project, root, "--once", ...words);
const place = (path: string, text: string) => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
};
const text = (path: string) => readFileSync(join(root, path), "utf8");
const files = () => server.workspace(project).files;
const inProject = async (path: string) =>
  new TextDecoder().decode((await files().read(toProjectPath(path))).bytes);
const write = (path: string, content: string) => files().write(toProjectPath(path), content);

describe("treadle sync", () => {
  it("copies additions, changes and removals in both directions", async () => {
    place("mine/größe.txt", "mine");
    await write("theirs.txt", "theirs");
    expect(await once()).toMatchObject({ status: 0, err: "" });
    expect(text("theirs.txt")).toBe("theirs");
    expect(await inProject("mine/größe.txt")).toBe("mine");
    place("theirs.txt", "changed here");
    await write("mine/größe.txt", "changed there");
    await once();
    expect(await inProject("theirs.txt")).toBe("changed here");
    expect(text("mine/größe.txt")).toBe("changed there");
    rmSync(join(root, "theirs.txt"));
    expect((await once()).out).toContain("✕ project  theirs.txt");
    await expect(files().read(toProjectPath("theirs.txt"))).rejects.toThrow("theirs.txt");
    await files().remove(toProjectPath("mine/größe.txt"));
    await write("new.txt", "new");
    await once();
    expect(existsSync(join(root, "mine"))).toBe(false);
  });

  it("synchronizes sources in folders that are named like build output", async () => {
    place("src/main.js", 'import "../build/plan.js";');
    place("build/plan.js", "mine");
    await write("out/theirs.js", "theirs");
    await once();
    expect(await inProject("build/plan.js")).toBe("mine");
    expect(text("out/theirs.js")).toBe("theirs");
    place("out/theirs.js", "changed here");
    // Once synchronized, it remains a source, whether or not anything imports it.
    place("src/main.js", "");
    await once();
    expect(await inProject("out/theirs.js")).toBe("changed here");
    expect([text("build/plan.js"), await inProject("build/plan.js")]).toEqual(["mine", "mine"]);
  });

  it("keeps both texts on both sides if both changed a file", async () => {
    await write("a.txt", "first");
    await once();
    place("a.txt", "of the folder");
    await write("a.txt", "of the project");
    const { out } = await once();
    const beside = /yours is in (\S+)/.exec(out)?.[1] ?? "";
    expect([text("a.txt"), text(beside)]).toEqual(["of the project", "of the folder"]);
    expect(await inProject(beside)).toBe("of the folder");
    expect((await once()).out).not.toContain("a.txt");
  });

  it("skips secrets, dependencies, build output, databases, git, its own state and excluded paths", async () => {
    for (const path of [
      ".env",
      "node_modules/a/i.js",
      "dist/a.js",
      "app.sqlite",
      ".git/config",
      "notes/a.md",
      "src/a.ts",
    ])
      // prettier-ignore
      place(path, "x");
    await write(".env.local", "KEY=1");
    await once("--leave-out", "notes/**");
    const { files: listed } = await files().list();
    expect(listed.filter(({ kind }) => kind === "file").map(({ path }) => path).toSorted()).toEqual([".env.local", "src/a.ts"]); // prettier-ignore
    expect(existsSync(join(root, ".env.local"))).toBe(false);
  });

  it("does not remove many files at once without confirmation", async () => {
    for (let n = 0; n < 30; n++) await write(`src/${n}.txt`, `${n}`);
    await once();
    rmSync(join(root, "src"), { recursive: true });
    const held = await once();
    expect(held).toMatchObject({ status: 1 });
    expect(held.out).toContain("30 files are gone from the folder; none of them was removed from the project"); // prettier-ignore
    expect(await inProject("src/7.txt")).toBe("7");
    expect(await once("--remove-many")).toMatchObject({ status: 0 });
    expect((await files().list()).files.filter(({ kind }) => kind === "file")).toEqual([]);
  });

  it("keeps running and copies changes in both directions", async () => {
    place("a.txt", "one");
    const running = treadle(project, root);
    await vi.waitFor(async () => expect(await inProject("a.txt")).toBe("one"), 10_000);
    place("a.txt", "two");
    await vi.waitFor(async () => expect(await inProject("a.txt")).toBe("two"), 10_000);
    const sent = await server.api(`/api/projects/${project}/files/b.txt`, { method: "PUT", headers: { "if-none-match": "*" }, json: { text: "from the page" } }); // prettier-ignore
    expect(sent.status).toBe(201);
    await vi.waitFor(() => expect(text("b.txt")).toBe("from the page"), 10_000);
    const second = await treadle(project, root, "--once");
    expect(second.err).toContain("already syncs this folder");
    process.emit("SIGINT");
    expect(await running).toMatchObject({ status: 0 });
    expect(await once()).toMatchObject({ status: 0, err: "" });
  });

  it("refuses unsuitable folders, and a folder that belongs to another project", async () => {
    expect((await treadle(project, server.directory, "--once")).err).toContain(
      "Treadle's own data",
    );
    expect((await treadle(project, "/", "--once")).err).not.toBe("");
    expect((await treadle("nobody", root, "--once")).err).toContain("no project");
    await write("a.txt", "a");
    await once();
    const other = await server.project("Another");
    expect((await treadle(other, root, "--once")).err).toContain("another project");
    expect(text("a.txt")).toBe("a");
  });
});

import { appendFileSync, existsSync, mkdirSync, mkdtempSync, openSync, closeSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync, writeSync } from "node:fs"; // prettier-ignore
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OWN, openFolderSide } from "./folder-side.ts";
import { lockFolder } from "./folder-lock.ts";
import { keepInStep } from "./keep-in-step.ts";
import { memorySide, versionOf } from "./memory-side.test-support.ts";

let around: string;
let root: string;
let leftOut: string[];
beforeEach(() => {
  around = realpathSync(mkdtempSync(join(tmpdir(), "treadle-sync-")));
  root = join(around, "theirs");
  mkdirSync(root);
  leftOut = [];
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

const openSide = () => openFolderSide(root, (path) => !path.startsWith("node_modules"), (path, why) => leftOut.push(`${path}: ${why}`)); // prettier-ignore
const file = (text: string) => ({ bytes: Buffer.from(text), version: versionOf(text) });
const text = (path: string) => readFileSync(join(root, path), "utf8");

describe("a synchronised folder", () => {
  it("accepts a file only if the current version is the expected one", async () => {
    const side = await openSide();
    expect(await side.write("src/a.txt", file("one"), undefined)).toBe(true);
    expect(await side.write("src/a.txt", file("two"), undefined)).toBe(false);
    expect(await side.write("src/a.txt", file("two"), versionOf("other"))).toBe(false);
    expect(text("src/a.txt")).toBe("one");
    expect(await side.write("src/a.txt", file("two"), versionOf("one"))).toBe(true);
    expect(await side.remove("src/a.txt", versionOf("one"))).toBe(false);
    expect(text("src/a.txt")).toBe("two");
    expect([...(await side.versions([]))]).toEqual([["src/a.txt", versionOf("two")]]);
    expect(await side.remove("src/a.txt", versionOf("two"))).toBe(true);
    expect(existsSync(join(root, "src"))).toBe(false);
    expect((await side.versions([])).size).toBe(0);
  });

  it("keeps the permissions of a replaced file", async () => {
    writeFileSync(join(root, "run.sh"), "one", { mode: 0o755 });
    const side = await openSide();
    await side.write("run.sh", file("two"), versionOf("one"));
    const { mode } = await import("node:fs").then(({ statSync }) => statSync(join(root, "run.sh")));
    expect(mode & 0o777).toBe(0o755);
  });

  it("follows no link anywhere in a path, and reports what it leaves out", async () => {
    const outside = join(around, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "secret.txt"), "secret");
    symlinkSync(outside, join(root, "out"));
    symlinkSync(join(outside, "secret.txt"), join(root, "link.txt"));
    const side = await openSide();
    expect((await side.versions([])).size).toBe(0);
    expect(leftOut).toEqual(["link.txt: it is a link", "out: it is a link"].toSorted());
    await expect(side.read("link.txt")).rejects.toThrow("a link");
    await expect(side.write("out/new.txt", file("x"), undefined)).rejects.toThrow("a link");
    await expect(side.write("link.txt", file("x"), versionOf("secret"))).rejects.toThrow("a link");
    await expect(side.remove("out/secret.txt", versionOf("secret"))).rejects.toThrow("a link");
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("secret");
    expect(existsSync(join(outside, "new.txt"))).toBe(false);
  });

  it("keeps what an editor writes into a file that was replaced while open", async () => {
    writeFileSync(join(root, "a.txt"), "one");
    const side = await openSide();
    const editor = openSync(join(root, "a.txt"), "a");
    await side.write("a.txt", file("two"), versionOf("one"));
    writeSync(editor, " and more");
    closeSync(editor);
    const conflict = [...(await side.versions([])).keys()].find((path) =>
      path.includes(".conflict-"),
    );
    expect(text("a.txt")).toBe("two");
    expect(text(conflict!)).toBe("one and more");
  });

  it("restores files set aside when it was killed, unless they were replaced", async () => {
    const aside = join(root, OWN, "aside");
    mkdirSync(aside, { recursive: true });
    for (const [path, was, isLater] of [
      ["a.txt", "was in a"],
      ["b.txt", "older"],
      ["c.txt", "written late", true],
      ["../../d.txt", "x"],
    ] as const) {
      // prettier-ignore
      const name = join(aside, versionOf(path));
      writeFileSync(name, was);
      writeFileSync(
        `${name}.json`,
        JSON.stringify({ path, version: versionOf(isLater ? "" : was) }),
      );
    }
    writeFileSync(join(root, "c.txt"), "newer");
    writeFileSync(join(aside, "0d.draft"), "half");
    writeFileSync(join(root, "b.txt"), "newer");
    const side = await openSide();
    const late = `c.txt.conflict-${versionOf("written late").slice(0, 8)}`;
    expect([...(await side.versions([])).keys()].toSorted()).toEqual([
      "a.txt",
      "b.txt",
      "c.txt",
      late,
    ]);
    expect([text("a.txt"), text("b.txt"), text(late)]).toEqual([
      "was in a",
      "newer",
      "written late",
    ]);
    expect(existsSync(join(around, "..", "d.txt"))).toBe(false);
    expect(existsSync(join(aside, "0d.draft"))).toBe(false);
  });

  it("is used by one process at a time", () => {
    mkdirSync(join(root, OWN));
    const free = lockFolder(join(root, OWN));
    expect(() => lockFolder(join(root, OWN))).toThrow("already syncs this folder");
    free();
    writeFileSync(join(root, OWN, "lock"), "999999999");
    lockFolder(join(root, OWN))();
  });

  it("is not treated as empty when it is gone", async () => {
    const side = await openSide();
    rmSync(root, { recursive: true });
    await expect(side.versions([])).rejects.toThrow("ENOENT");
  });
});

describe("concurrent edits in the folder and in the project", () => {
  it.each([1, 2, 3])("lose no text (seed %i)", async (seed) => {
    let state = seed;
    const number = (limit: number) => (state = (state * 48_271) % 2_147_483_647) % limit;
    const project = new Map<string, string>();
    const typed: string[] = [];
    const side = await openSide();
    let isOver = false;
    const step = keepInStep({ folder: side, project: memorySide(project, turn), base: new Map(), onNews: () => undefined }); // prettier-ignore
    const hand = async (name: string, act: (line: string) => void) => {
      for (let n = 0; n < 60; n++) {
        for (let turns = number(12); turns > 0; turns--) await turn();
        const line = `<${name}-${n}>`;
        act(line);
        typed.push(line);
      }
    };
    const editors = Promise.all([
      hand("append", (line) => appendFileSync(join(root, "a.txt"), line)),
      hand("save", (line) => {
        const old = existsSync(join(root, "a.txt")) ? text("a.txt") : "";
        writeFileSync(join(around, "draft"), old + line);
        renameSync(join(around, "draft"), join(root, "a.txt"));
      }),
      hand("project", (line) => project.set("a.txt", (project.get("a.txt") ?? "") + line)),
    ]).then(() => (isOver = true));
    while (!isOver) await step.round();
    await editors;
    for (let round = 0; round < 10; round++) await step.round();
    const versions = await side.versions([]);
    expect([...versions.keys()].toSorted()).toEqual([...project.keys()].toSorted());
    const all = [...project.values()].join("");
    expect(typed.filter((line) => !all.includes(line))).toEqual([]);
  });
});

describe("the sources of a folder", () => {
  const place = (path: string, content = "x") => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const found = async (...elsewhere: string[]) => {
    const side = await openFolderSide(
      root,
      (path) => !path.startsWith(".treadle-sync"),
      () => {},
    );
    return [...(await side.versions(elsewhere)).keys()].toSorted();
  };

  it("are what a source brings in, whatever its folder is called", async () => {
    place("src/main.js", 'import { plan } from "../coverage/plan.js";');
    place("coverage/plan.js", 'export { plan } from "../out/deeper.js";');
    place("out/deeper.js", "export const plan = 1;");
    place("coverage/report.html");
    place("dist/bundle.js");
    expect(await found()).toEqual(["coverage/plan.js", "out/deeper.js", "src/main.js"]);
  });

  it("does not list ignored files, installed packages or tool state", async () => {
    place(".gitignore", "/tmp/\n*.log\n");
    place("tmp/a.txt");
    place("src/debug.log");
    place("src/.vite/state.json");
    place("tools/venv/pyvenv.cfg");
    place("tools/venv/lib.py");
    place("states/CACHEDIR.TAG");
    place("states/one");
    place("src/a.js");
    expect(await found()).toEqual([".gitignore", "src/a.js"]);
  });

  it("lists files that the project has, and files that were synchronized before", async () => {
    place("build/page.html");
    place("build/other.html");
    expect(await found("build/page.html")).toEqual(["build/page.html"]);
  });
});

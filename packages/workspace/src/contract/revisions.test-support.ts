import { join } from "node:path";
import { toProjectPath } from "@treadle/protocol/project-path";
import { describe, beforeAll, expect } from "vitest";
import type { Workspace } from "../types.ts";
import type { Contract } from "./contract.test-support.ts";
import { codeOf, eventually } from "./helpers.test-support.ts";

export function describeRevisions(contract: Contract): void {
  const { openNew, text, rule } = contract;
  describe.concurrent("revisions and checkpoints", () => {
    let own: Workspace;
    beforeAll(async () => {
      own = await openNew();
    });
    const put = (path: string, content: string) => own.files.write(toProjectPath(path), content);

    rule("W80", "the revision depends on the files only: same files, same revision", async () => {
      await put("a.txt", "one");
      const first = await own.revision();
      expect(first).toMatch(/^[0-9a-f]{40}$/);
      await put("a.txt", "two");
      expect(await own.revision()).not.toBe(first);
      await put("a.txt", "one");
      expect(await own.revision()).toBe(first);
    });

    rule("W81", "dependencies, caches, build output and .git are not part of it", async () => {
      const before = await own.revision();
      await put("node_modules/a/index.js", "x");
      await own.run(
        "mkdir dist .vite .git; echo x > dist/x.js; echo x > .vite/y; echo x > .git/HEAD",
      );
      expect(await own.revision()).toBe(before);
    });

    rule(
      "W193",
      "files that were written by hand, or that a source imports, are part of it in a folder of any name",
      async () => {
        const another = await openNew();
        const heard = new Set<string>();
        another.listen((notice) => {
          if (notice.type === "files") for (const { path } of notice.changes) heard.add(path);
        });
        const write = (path: string, text: string) =>
          another.files.write(toProjectPath(path), text);
        await write("main.js", 'import "./src/coverage/made.js";\n');
        await another.run(
          "mkdir -p build src/coverage; echo 'needle-w193' | tee build/made.js src/coverage/made.js",
        );
        await write("build/plan.js", "needle-w193\n");
        await write(".cache/kept.js", "needle-w193\n");
        const own = [".cache/kept.js", "build/plan.js", "main.js", "src/coverage/made.js"];
        const shown = async () =>
          (await another.files.list()).files
            .filter(({ kind }) => kind === "file")
            .map(({ path }) => String(path));
        expect(await shown()).toEqual(own);
        const { matches } = await another.files.search({ pattern: "needle-w193" });
        expect(matches.map(({ path }) => String(path))).toEqual(
          own.filter((path) => path !== "main.js"),
        );
        await eventually(() => own.every((path) => heard.has(path)));
        const checkpoint = await another.checkpoint("all");
        for (const path of own) {
          const before = await another.revision();
          await another.run(`echo changed >> ${path}`);
          expect(await another.revision(), path).not.toBe(before);
        }
        const made = await another.revision();
        await another.run("echo changed >> build/made.js");
        expect(await another.revision()).toBe(made);
        await another.restore(checkpoint.checkpoint);
        expect(await another.revision()).toBe(checkpoint.revision);
        expect(await text("build/plan.js", another)).toBe("needle-w193\n");
        // A folder that a build creates again is build output again.
        await another.files.remove(toProjectPath("build"));
        await another.run("mkdir build; echo x > build/plan.js");
        expect(await shown()).toEqual(own.filter((path) => path !== "build/plan.js"));
        await another.stop();
      },
    );

    rule("W82", "names, the executable bit and a .env are part of it", async () => {
      const before = await own.revision();
      await put(".env", "KEY=1");
      const withSecret = await own.revision();
      expect(withSecret).not.toBe(before);
      await put(".env", "KEY=2");
      expect(await own.revision()).not.toBe(withSecret);
      await own.files.remove(toProjectPath(".env"));
      await own.run("chmod +x a.txt");
      expect(await own.revision()).not.toBe(before);
      await own.run("chmod -x a.txt");
      expect(await own.revision()).toBe(before);
    });

    rule("W199", "is the same for two projects that open one folder with one key", async () => {
      const directory = join(contract.folder, "shared-key");
      const key = "a1".repeat(32);
      const revisions: string[] = [];
      for (const secretKey of [key, key, undefined]) {
        const workspace = await openNew({ directory, secretKey });
        await workspace.files.write(toProjectPath(".env"), "KEY=1");
        revisions.push(await workspace.revision());
        await workspace.stop();
      }
      expect(revisions[1]).toBe(revisions[0]);
      expect(revisions[2]).not.toBe(revisions[0]);
    });

    rule("W83", "detects a change in place of the same size within one clock tick", async () => {
      const seen = new Set<string>();
      for (let n = 0; n < 8; n++) {
        await own.run(`printf 'v${n}' > in-place.txt`);
        seen.add(await own.revision());
      }
      expect(seen.size).toBe(8);
      await own.files.remove(toProjectPath("in-place.txt"));
    });

    rule(
      "W84",
      "a checkpoint is stored, listed and has the revision; unchanged files create no second one",
      async () => {
        const first = await own.checkpoint("first");
        expect(first).toMatchObject({ label: "first", revision: await own.revision() });
        expect(await own.checkpoint("again")).toEqual(first);
        expect(await own.checkpoints()).toEqual([first]);
      },
    );

    rule(
      "W85",
      "restore resets files to the byte, removes later ones, leaves dependencies",
      async () => {
        const checkpoint = await own.checkpoint("kept");
        await put("a.txt", "changed");
        await put("new/file.txt", "later");
        await put("node_modules/a/index.js", "stays");
        await own.checkpoint("later");
        const back = await own.restore(checkpoint.checkpoint);
        expect(back.revision).toBe(checkpoint.revision);
        expect(await own.revision()).toBe(checkpoint.revision);
        expect(await text("a.txt", own)).toBe("one");
        expect(await codeOf(own.files.read(toProjectPath("new/file.txt")))).toBe("missing");
        expect(await text("node_modules/a/index.js", own)).toBe("stays");
      },
    );

    rule("W86", "restore accepts a revision too, and can go forward again", async () => {
      const [, later] = await own.checkpoints();
      await own.restore(later!.revision);
      expect(await text("new/file.txt", own)).toBe("later");
      expect(await codeOf(own.restore("nonsense"))).toBe("missing");
      expect(await codeOf(own.restore("0".repeat(40)))).toBe("missing");
    });

    rule("W87", "diff reports added, changed, removed and binary files", async () => {
      await put("binary.bin", "a\0b");
      await put("gone.txt", "bye\n");
      await put("same.txt", "same\n");
      const a = await own.checkpoint("a");
      await put("binary.bin", "a\0c");
      await put("a.txt", "one\nmore\n");
      await put("added.txt", "hello\n");
      await own.files.remove(toProjectPath("gone.txt"));
      const now = await own.diff(a.checkpoint);
      expect(now.map(({ path, kind, binary }) => [path, kind, binary])).toEqual([
        ["a.txt", "changed", false],
        ["added.txt", "added", false],
        ["binary.bin", "changed", true],
        ["gone.txt", "removed", false],
      ]);
      expect(now[1]!.diff).toContain("+hello");
      const b = await own.checkpoint("b");
      expect(await own.diff(a.checkpoint, b.checkpoint)).toEqual(now);
    });

    rule(
      "W88",
      "the project's .gitignore, attributes, filters and nested repositories do not affect files written by hand",
      async () => {
        await put(".gitignore", "*\n");
        await put(".gitattributes", "* text eol=lf filter=evil\n");
        await put("crlf.txt", "a\r\nb\r\n");
        await own.run(
          "git init -q nested; cd nested; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x",
        );
        await put("nested/file", "inner\n");
        const without = await own.revision();
        await own.run("echo made > nested/made-by-a-command.js");
        expect(await own.revision()).toBe(without);
        await own.run(
          "git config --file .git/config filter.evil.clean 'touch /tmp/ran; cat' 2>/dev/null; true",
        );
        const checkpoint = await own.checkpoint("tricks");
        await own.files.remove(toProjectPath("nested/file"));
        await put("crlf.txt", "changed");
        await put("node_modules/huge.js", "x");
        await own.restore(checkpoint.checkpoint);
        expect(await text("crlf.txt", own)).toBe("a\r\nb\r\n");
        expect(await text("nested/file", own)).toBe("inner\n");
        expect(await own.revision()).toBe(checkpoint.revision);
        await own.files.remove(toProjectPath(".gitignore"));
      },
    );

    rule("W89", "unusual names and links survive a checkpoint and a restore", async () => {
      const names = ["line\nbreak", 'quo"te', "back\tslash", "ümlaut", "😀", "-dash", "sp ace"];
      for (const name of names) await put(`odd/${name}`, name);
      await own.run("ln -s ../a.txt odd/link; chmod +x odd/-dash");
      const checkpoint = await own.checkpoint("odd");
      await own.files.remove(toProjectPath("odd"));
      await own.checkpoint("without");
      await own.restore(checkpoint.checkpoint);
      for (const name of names) expect(await text(`odd/${name}`, own)).toBe(name);
      expect(await own.revision()).toBe(checkpoint.revision);
    });

    rule(
      "W101",
      "the app's own data is shown, is not part of a revision, and survives a restore",
      async () => {
        const checkpoint = await own.checkpoint("before any data");
        const heard: string[] = [];
        const unlisten = own.listen((notice) => {
          if (notice.type === "files") heard.push(...notice.changes.map(({ path }) => path));
        });
        await own.run(
          `node -e 'new (require("node:sqlite").DatabaseSync)("app.db").exec("PRAGMA journal_mode=WAL; CREATE TABLE t (n); INSERT INTO t VALUES (7)")'; mkdir -p .data; echo x > .data/picture.png; touch old.sqlite-journal`,
        );
        expect(await own.revision()).toBe(checkpoint.revision);
        const paths = (await own.files.list()).files.map(({ path }) => path);
        expect(paths).toEqual(expect.arrayContaining(["app.db", ".data/picture.png"]));
        expect(paths.filter((path) => /-(wal|shm|journal)$/.test(path))).toEqual([]);

        await put("newer.txt", "x");
        await eventually(() => heard.includes("newer.txt"));
        expect(heard.filter((path) => /\.db|\.data/.test(path))).toEqual([]);
        unlisten();
        await own.restore(checkpoint.checkpoint);
        const read = await own.run(
          `node -p 'new (require("node:sqlite").DatabaseSync)("app.db").prepare("SELECT n FROM t").get().n'; cat .data/picture.png`,
        );
        expect(read.output).toBe("7\nx\n");
        await own.run("rm -rf app.db .data old.sqlite-journal");
      },
    );

    rule("W170", "compares a single file, whatever its name means to git", async () => {
      const names = ["[a]*.txt", "it's.txt", "-x", ":(glob)y"];
      for (const name of names) await put(`one/${name}`, "1\n");
      const before = await own.checkpoint("ones");
      for (const name of names) await put(`one/${name}`, "2\n");
      for (const name of names) {
        const path = toProjectPath(`one/${name}`);
        const found = await own.diff(before.checkpoint, undefined, path);
        expect(found.map((one) => one.path)).toEqual([path]);
        expect(found[0]!.diff.trimEnd()).toBe("@@ -1 +1 @@\n-1\n+2");
      }
      expect(await own.diff(before.checkpoint, undefined, toProjectPath("a.txt"))).toEqual([]);
      await own.files.remove(toProjectPath("one"));
    });

    rule("W185", "returns the hash of every file, also in folders of build output", async () => {
      const known = async () => Object.fromEntries(await own.fileHashes());
      await put("same.txt", "same");
      await put("other.txt", "one");
      await own.run(
        "mkdir -p dist/node_modules; printf 1 > dist/server.js; printf 1 > dist/node_modules/one.js; printf rows > dist/app.sqlite",
      );
      await put("node_modules/two.js", "2");
      await put("app.sqlite", "rows");
      const before = await known();
      const paths = Object.keys(before).filter((path) => !path.startsWith("."));
      expect(paths).toEqual(
        expect.arrayContaining(["same.txt", "other.txt", "dist/server.js", "dist/app.sqlite"]),
      );
      expect(paths.filter((path) => /node_modules|^app\.sqlite/.test(path))).toEqual([]);
      await put("other.txt", "two");
      await own.run(
        "mkdir dist/uploads; printf cat > dist/uploads/cat.png; printf more > dist/app.sqlite",
      );
      const after = await known();
      expect(Object.keys(after).filter((path) => after[path] !== before[path])).toEqual([
        "other.txt",
        "dist/app.sqlite",
        "dist/uploads/cat.png",
      ]);
      await own.files.remove(toProjectPath("dist"));
      await own.files.remove(toProjectPath("node_modules"));
      await own.files.remove(toProjectPath("app.sqlite"));
      await own.files.remove(toProjectPath("other.txt"));
      const left = await known();
      expect([left["same.txt"], left["other.txt"], left["dist/server.js"]]).toEqual([
        before["same.txt"],
        undefined,
        undefined,
      ]);
      await own.files.remove(toProjectPath("same.txt"));
    });

    rule("W171", "reads a file from a checkpoint, and finds the changes of a file", async () => {
      const path = toProjectPath("story.sh");
      const without = await own.checkpoint("without");
      await put(path, "one\n");
      const first = await own.checkpoint("first");
      await put("else.txt", "of another");
      await own.checkpoint("nothing of it");
      await put(path, "two\n");
      await own.run("chmod +x story.sh; ln -s story.sh story-link");
      const second = await own.checkpoint("second");
      await own.files.remove(path);
      const third = await own.checkpoint("third");
      const history = (await own.fileHistory(path)).map(({ checkpoint, kind, label }) => [
        checkpoint,
        kind,
        label,
      ]);
      expect(history).toEqual([
        [first.checkpoint, "added", "first"],
        [second.checkpoint, "changed", "second"],
        [third.checkpoint, "removed", "third"],
      ]);
      expect((await own.fileHistory(path))[0]!.before).toBe(without.checkpoint);
      const now = await own.files.write(path, "two\n");
      const keptFile = await own.fileAt(second.checkpoint, path);
      expect(keptFile).toMatchObject({ version: now.version, executable: true });
      expect(Buffer.from(keptFile!.bytes).toString()).toBe("two\n");
      expect(await own.fileAt(without.checkpoint, path)).toBeUndefined();
      const link = await own.fileAt(second.checkpoint, toProjectPath("story-link"));
      expect(link).toMatchObject({ link: true });
      expect(await codeOf(own.fileAt("nonsense", path))).toBe("missing");
      await own.files.write(path, "two\n", { executable: true });
      expect((await own.run("test -x story.sh && echo yes")).output).toBe("yes\n");
      await own.run("rm -f story.sh story-link else.txt");
    });

    rule("W90", "a .env is in no checkpoint, and restore leaves it unchanged", async () => {
      await put(".env", "KEY=secret-w90");
      const checkpoint = await own.checkpoint("with secret");
      await put(".env", "KEY=newer");
      await put("a.txt", "else");
      await own.restore(checkpoint.checkpoint);
      expect(await text(".env", own)).toBe("KEY=newer");
      expect(JSON.stringify(await own.diff(checkpoint.checkpoint))).not.toContain("KEY");
    });
  });
}

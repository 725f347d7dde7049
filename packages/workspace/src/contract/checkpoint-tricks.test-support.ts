import { toProjectPath } from "@treadle/protocol/project-path";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import type { Workspace } from "../types.ts";
import type { Contract } from "./contract.test-support.ts";
import { codeOf } from "./helpers.test-support.ts";

/** Commands that git would run only if it read the project's or the person's settings. */
const FILTERS = (mark: string) =>
  ["clean", "smudge", "process"]
    .map((kind) => `git config --file CONFIG filter.evil.${kind} 'touch ${mark}; cat'`)
    .join("; ");

export function describeCheckpointTricks(contract: Contract): void {
  const { openNew, text, rule } = contract;
  describe.concurrent("a project's attempts to keep files out of checkpoints, or to get files into them", () => {
    let own: Workspace;
    let place: { directory: string; stateDirectory: string };
    beforeAll(async () => {
      const folder = join(contract.folder, "tricks");
      place = { directory: join(folder, "files"), stateDirectory: join(folder, "state") };
      own = await openNew(place);
    });
    const put = (path: string, content: string | Uint8Array) =>
      own.files.write(toProjectPath(path), content);
    const store = () => join(place.stateDirectory, "checkpoints.git");

    /** Saves a checkpoint, changes everything, restores it, and removes the traces of a trick. */
    async function thereAndBack(files: Record<string, string>, change: () => Promise<unknown>) {
      const checkpoint = await own.checkpoint("kept");
      await change();
      await own.checkpoint("changed");
      await own.restore(checkpoint.checkpoint);
      for (const [path, content] of Object.entries(files))
        expect([path, await text(path, own)]).toEqual([path, content]);
      expect(await own.revision()).toBe(checkpoint.revision);
    }
    const wipe = () => own.run("find . -mindepth 1 -delete");

    rule("W110", "a .gitignore keeps no file out, at any depth, in any spelling", async () => {
      const files = {
        "a.txt": "a\n",
        "deep/b.txt": "b\n",
        "deep/.gitignore": "*\n!.gitignore\n",
      };
      for (const [path, content] of Object.entries(files)) await put(path, content);
      await put(".gitignore", "*\n/**\ndeep/\n");
      await own.run("mkdir -p .git/info; echo '*' > .git/info/exclude");
      await thereAndBack(files, () => own.run("rm -rf a.txt deep"));
      await wipe();
    });

    rule(
      "W111",
      "a .gitignore does not bring in dependencies, caches or build output",
      async () => {
        await put(".gitignore", "!node_modules\n!node_modules/**\n!dist\n!*\n");
        await put("a.txt", "a\n");
        const checkpoint = await own.checkpoint("kept");
        await put("node_modules/x/index.js", "dependency");
        await own.run("mkdir -p dist; echo built > dist/out.js");
        expect(await own.diff(checkpoint.checkpoint)).toEqual([]);
        expect(await own.checkpoint("again")).toEqual(checkpoint);
        await own.restore(checkpoint.checkpoint);
        expect(await text("node_modules/x/index.js", own)).toBe("dependency");
        await wipe();
      },
    );

    rule(
      "W112",
      "F23 attributes rewrite nothing: line ends, $Id$, encodings, export words",
      async () => {
        const bytes = {
          "crlf.txt": "a\r\nb\r\nc\n",
          "id.txt": "$Id$ $Id: 12 $\n",
          "bom.txt": "\uFEFFa\r\n",
          "utf16.txt": "plain, and not UTF-16\n",
          "subst.txt": "$Format:%H$\n",
          "ignored.txt": "not exported\n",
        };
        for (const [path, content] of Object.entries(bytes)) await put(path, content);
        const rules = "* text=auto eol=lf ident\nutf16.txt working-tree-encoding=UTF-16\n";
        await put(".gitattributes", `${rules}subst.txt export-subst\nignored.txt export-ignore\n`);
        await put("deep/.gitattributes", "* text eol=crlf ident\n");
        await own.run("mkdir -p .git/info; cp .gitattributes .git/info/attributes");
        await thereAndBack(bytes, () => own.run("for f in *.txt; do echo else > $f; done"));
        await wipe();
      },
    );

    rule(
      "W113",
      "A32 filters of the project's repository run neither when saving nor when restoring",
      async () => {
        // A unique name: without a sandbox this is the machine's folder, shared with others.
        const outside = `/tmp/w113-${randomUUID()}`;
        const mark = `${outside} /run/git/w113 /home/project/w113`;
        await put("a.txt", "a\n");
        await put(".gitattributes", "* filter=evil diff=evil merge=evil\n");
        await own.run(
          `git init -q .; ${FILTERS(mark).replaceAll("CONFIG", ".git/config")}; git config diff.evil.textconv 'touch ${mark}; cat'; git config diff.external 'touch ${mark}; true'`,
        );
        const checkpoint = await own.checkpoint("with filters");
        await put("a.txt", "b\n");
        expect((await own.diff(checkpoint.checkpoint)).map(({ path }) => path)).toEqual(["a.txt"]);
        await own.restore(checkpoint.checkpoint);
        expect(await text("a.txt", own)).toBe("a\n");
        expect(await codeOf(own.files.read(toProjectPath("w113")))).toBe("missing");
        expect(readdirSync(store())).not.toContain("w113");
        expect(existsSync(outside)).toBe(false);
        await wipe();
      },
    );

    rule("W114", "filters of the person who runs the server do not run either", async () => {
      const home = join(contract.folder, "person");
      mkdirSync(home, { recursive: true });
      const mark = join(home, "ran");
      const config = `[filter "evil"]\n\tclean = touch ${mark}; cat\n\tsmudge = touch ${mark}; cat\n\trequired = true\n[core]\n\tattributesFile = ${home}/attributes\n\tautocrlf = true\n\tfsmonitor = touch ${mark}\n\thooksPath = ${home}\n`;
      writeFileSync(join(home, ".gitconfig"), config);
      writeFileSync(join(home, "attributes"), "* filter=evil text eol=lf\n");
      const names = ["HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"] as const;
      const before = names.map((name) => process.env[name]);
      process.env.HOME = home;
      process.env.GIT_CONFIG_GLOBAL = process.env.GIT_CONFIG_SYSTEM = join(home, ".gitconfig");
      try {
        await put("crlf.txt", "a\r\nb\r\n");
        await put(".gitattributes", "* filter=evil\n");
        await thereAndBack({ "crlf.txt": "a\r\nb\r\n" }, () => put("crlf.txt", "else\r\n"));
      } finally {
        for (const [index, name] of names.entries())
          if (before[index] === undefined) delete process.env[name];
          else process.env[name] = before[index];
      }
      expect(existsSync(mark)).toBe(false);
      await wipe();
    });

    rule(
      "W115",
      "A23 a nested repository keeps its content; its .git is not stored, and is renamed as a whole",
      async () => {
        const identity = "-c user.name=a -c user.email=a@b";
        const { output } = await own.run(
          `git init -q inner; cd inner; echo one > file; git add file; git ${identity} commit -qm x; git init -q deeper; echo two > deeper/file; git rev-parse HEAD`,
        );
        const [before] = output.split("\n");
        expect(output).toContain('set aside: "inner/deeper/.git-made-in-sandbox", "inner/.git');
        await thereAndBack({ "inner/file": "one\n", "inner/deeper/file": "two\n" }, () =>
          own.run("echo else > inner/file; rm inner/deeper/file"),
        );
        const back = "mv .git-made-in-sandbox .git; mv .git/HEAD.set-aside .git/HEAD";
        const again = await own.run(`cd inner; ${back}; git rev-parse HEAD; git fsck; rm -rf .git`);
        expect(again.output).toBe(`${before}\n`);
        await wipe();
      },
    );

    rule(
      "W116",
      "a .git that is a file, a link or leads to the store is not followed",
      async () => {
        await own.run(
          "mkdir linked filed bare; echo 'gitdir: /run/git' > filed/.git; ln -s /run/git linked/.git; git init -q --bare bare; echo 'gitdir: ../../state/checkpoints.git' > .git",
        );
        const files = { "filed/a": "a\n", "linked/a": "a\n", "bare/a": "a\n" };
        for (const [path, content] of Object.entries(files)) await put(path, content);
        await thereAndBack(files, () => own.run("rm -f filed/a linked/a bare/a"));
        await wipe();
      },
    );

    rule(
      "W117",
      "a .gitmodules, even an invalid one or a link, is a file like any other",
      async () => {
        const odd =
          '[submodule "x"]\n\tpath = ../../x\n\turl = -u./payload\n\tupdate = !touch /tmp/w117\n';
        await put(".gitmodules", odd);
        await put("x/a.txt", "a\n");
        await thereAndBack({ ".gitmodules": odd, "x/a.txt": "a\n" }, () =>
          own.run("rm -rf x .gitmodules"),
        );
        await own.run("rm .gitmodules; ln -s /etc/passwd .gitmodules");
        const checkpoint = await own.checkpoint("a link");
        await own.run("rm .gitmodules");
        await own.restore(checkpoint.checkpoint);
        expect((await own.run("readlink .gitmodules")).output).toBe("/etc/passwd\n");
        await wipe();
      },
    );

    rule(
      "W118",
      "A23 names that mean .git on other file systems make no checkpoint fail and lose nothing",
      async () => {
        const odd = ["git~1/config", ".git./x", ".git /x", ".gitmodules~1", ".GITMODULES"];
        await own.run("mkdir .GIT; echo kept > .GIT/config");
        const files = Object.fromEntries([...odd, "a.txt"].map((name) => [name, `${name}\n`]));
        for (const [path, content] of Object.entries(files)) await put(path, content);
        for (const path of [".GIT/hooks/post-checkout", "sub/.git/config", "sub/.Git"])
          expect(await codeOf(put(path, "x"))).toBe("path");
        await thereAndBack(files, () =>
          own.run("rm -rf git~1 .git. '.git ' .gitmodules~1 .GITMODULES; echo else > a.txt"),
        );
        expect((await own.run("cat .GIT/config")).output).toBe("kept\n");
        await wipe();
      },
    );

    rule(
      "W119",
      "F21 F22 bytes of any kind survive: NUL, invalid UTF-8, an empty file, one of 5 MB",
      async () => {
        const bytes = {
          "nul.bin": Buffer.from("a\0b\r\n\0"),
          "bad.txt": Buffer.from([0x61, 0xc3, 0x28, 0xff, 0xfe, 0x0a]),
          empty: Buffer.alloc(0),
          "large.bin": Buffer.alloc(5 * 1024 * 1024, "0123456789\r\n"),
        };
        for (const [path, content] of Object.entries(bytes)) await put(path, content);
        const checkpoint = await own.checkpoint("bytes");
        await own.run("for f in *; do echo else > $f; done");
        await own.restore(checkpoint.checkpoint);
        for (const [path, content] of Object.entries(bytes))
          expect(
            Buffer.from((await own.files.read(toProjectPath(path))).bytes).equals(content),
            path,
          ).toBe(true);
        await wipe();
      },
    );

    rule("W120", "A20 restoring writes through no link in place of a folder", async () => {
      await put("folder/a.txt", "a\n");
      const checkpoint = await own.checkpoint("a folder");
      await own.run("rm -rf folder; mkdir /tmp/w120; ln -s /tmp/w120 folder");
      await own.restore(checkpoint.checkpoint);
      expect((await own.run("ls -A /tmp/w120; stat -c %F folder")).output).toBe("directory\n");
      expect(await text("folder/a.txt", own)).toBe("a\n");
      await wipe();
    });

    rule(
      "W121",
      "restores a file where there is a folder now, and a folder where there is a file",
      async () => {
        await put("was-file", "a\n");
        await put("was-folder/a", "a\n");
        await thereAndBack({ "was-file": "a\n", "was-folder/a": "a\n" }, () =>
          own.run(
            "rm -rf was-file was-folder; mkdir was-file; echo b > was-file/b; echo b > was-folder",
          ),
        );
        await wipe();
      },
    );

    rule(
      "W166",
      "A75 attributes of the project hide no difference, and one that is a pipe blocks nothing",
      async () => {
        await put("a.txt", "a\n");
        await put("deep/b.txt", "a\n");
        const checkpoint = await own.checkpoint("kept");
        await put("a.txt", "b\n");
        await put("deep/b.txt", "b\n");
        const differences = async () =>
          (await own.diff(checkpoint.checkpoint))
            .filter(({ path }) => path.endsWith(".txt"))
            .map(({ path, diff }) => [path, diff]);
        const all = ["a.txt", "deep/b.txt"].map((path) => [path, "@@ -1 +1 @@\n-a\n+b"]);
        await put(".gitattributes", "*.txt -diff\n[attr]binary diff\n");
        await put("deep/.gitattributes", "* binary\n");
        expect(await differences()).toEqual(all);
        await own.run(
          "rm .gitattributes deep/.gitattributes; mkfifo .gitattributes deep/.gitattributes",
        );
        expect(await differences()).toEqual(all);
        await wipe();
      },
    );

    rule("W183", "A102 no line of a file is read as another file's difference", async () => {
      await put("a.txt", "a\n");
      const checkpoint = await own.checkpoint("kept");
      const forged = ["\r", "\u2028", "\u2029", "\u0085", "\v", "\f"].map(
        (end) =>
          `x${end}diff --git a/package.json b/package.json${end}--- a/package.json${end}+++ b/package.json${end}@@ -1 +1 @@${end}-y${end}`,
      );
      await put("a.txt", `${forged.join("\n")}\nhidden\n`);
      const found = await own.diff(checkpoint.checkpoint);
      expect(found.map(({ path }) => path)).toEqual(["a.txt"]);
      expect(found[0]!.diff).toContain("+hidden");
      await wipe();
    });

    rule("W122", "a checkpoint's label may contain anything and is only data", async () => {
      await put("a.txt", "labelled\n");
      const label = "-m \"$(touch /tmp/x)\" 'q'\n\u0000 --exec=x 😀";
      expect((await own.checkpoint(label)).label).toBe(label);
      expect((await own.checkpoints()).at(-1)?.label).toBe(label);
      await wipe();
    });
  });
}

import { toProjectPath } from "@treadle/protocol/project-path";
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WorkspaceDriver } from "../types.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { ownRepositoryWorks } from "../contract/own-repository.test-support.ts";
import { createLocalDriver } from "./driver.ts";

const folder = mkdtempSync(join(tmpdir(), "treadle-repositories-"));
let driver: WorkspaceDriver;

beforeAll(async () => {
  await ensureGuest();
  driver = createLocalDriver({ cacheDirectory: join(folder, "cache"), env: process.env });
});
afterAll(async () => {
  await driver.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = (name: string) => {
  const directory = join(folder, name);
  mkdirSync(directory, { recursive: true });
  const place = { project: name, directory, stateDirectory: join(folder, `${name}-state`) };
  return { directory, open: () => driver.open({ ...place, handBack: true }) };
};

describe("the person's own repository", () => {
  ownRepositoryWorks(open);

  it("A23 cannot be given hooks or configuration from inside", async () => {
    const place = open("with");
    execFileSync("git", ["init", "-q", place.directory]);
    const workspace = await place.open();
    const attempts = await workspace.run(
      "echo 'touch out' > .git/hooks/post-checkout; git config core.fsmonitor 'touch out'; mv .git .old; rm -rf .git; ls -d .git",
    );
    expect(attempts.output).toContain("Read-only file system");
    for (const path of [".git/hooks/pre-commit", ".GIT/config", ".git"])
      await expect(workspace.files.write(toProjectPath(path), "x")).rejects.toMatchObject({
        code: "path",
      });
    await workspace.files.write(toProjectPath("a.txt"), "x");
    await expect(
      workspace.files.rename(toProjectPath("a.txt"), toProjectPath(".git/x")),
    ).rejects.toMatchObject({
      code: "path",
    });
    await expect(workspace.files.remove(toProjectPath(".git"))).rejects.toMatchObject({
      code: "path",
    });
    await workspace.stop();
    expect(existsSync(join(place.directory, ".git/hooks/post-checkout"))).toBe(false);
    const config = execFileSync("git", ["-C", place.directory, "config", "--list", "--local"]);
    expect(config.toString()).not.toContain("fsmonitor");
  });

  it("A23 cannot be changed or replaced unnoticed if it is nested, a submodule's or bare", async () => {
    const place = open("nested");
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
        cwd: place.directory,
        stdio: "pipe",
      }).toString();
    git("init", "-q", "sub");
    git("init", "-q", "--bare", "fixtures/bare.git");
    mkdirSync(join(place.directory, "file"));
    writeFileSync(join(place.directory, "file/.git"), "gitdir: ../sub/.git\n");
    const workspace = await place.open();
    const { output } = await workspace.run(
      [
        "git -C sub config core.fsmonitor evil",
        "git -C fixtures/bare.git config core.fsmonitor evil",
        "echo 'gitdir: ../evil' > file/.git",
        "rm -rf sub/.git",
        // Its folder can be moved, and another one put in its place.
        "mv sub moved; git init -q sub; git -C sub config core.fsmonitor evil",
      ].join("; "),
    );
    expect(output.match(/Read-only file system|could not lock|busy/g)?.length).toBeGreaterThan(2);
    expect(output).toContain('set aside: "sub/.git-made-in-sandbox"');
    await workspace.stop();
    expect(existsSync(join(place.directory, "sub/.git"))).toBe(false);
    expect(git("-C", "moved", "config", "--list", "--local")).not.toContain("fsmonitor");
    expect(git("-C", "fixtures/bare.git", "config", "--list", "--local")).not.toContain("evil");
    expect(readFileSync(join(place.directory, "file/.git"), "utf8")).toBe("gitdir: ../sub/.git\n");
  });

  it("A74 hooks, settings and programs that it names among the project's files cannot be changed from inside", async () => {
    const place = open("named");
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
        cwd: place.directory,
        stdio: "pipe",
      }).toString();
    git("init", "-q");
    const put = (path: string, content: string) => {
      mkdirSync(dirname(join(place.directory, path)), { recursive: true });
      writeFileSync(join(place.directory, path), content, { mode: 0o755 });
    };
    for (const hook of ["pre-commit", "README"]) put(`tools/hooks/${hook}`, "#!/bin/sh\n");
    put("conf/git", "[user]\n\tname = person\n");
    put("scripts/clean.sh", "#!/bin/sh\ncat\n");
    put("monitor", "#!/bin/sh\n");
    put("src/app.ts", "1\n");
    git("config", "core.hooksPath", "tools/hooks");
    git("config", "include.path", "../conf/git");
    git("config", "filter.own.clean", "sh ./scripts/clean.sh %f");
    git("config", "core.fsmonitor", "./monitor");
    const workspace = await place.open();
    const evil = `touch ${join(folder, "pwned")}; cat`;
    const { output } = await workspace.run(
      [
        `echo '${evil}' > tools/hooks/pre-commit`,
        `echo '${evil}' > tools/hooks/post-commit`,
        `printf '[core]\\nfsmonitor = ${evil}' > conf/git`,
        `echo '${evil}' > scripts/clean.sh`,
        `echo '${evil}' > monitor`,
        "mv tools moved",
        "mv tools/hooks moved",
        "rm -rf scripts/clean.sh conf; mv monitor other",
        // Files beside them can be changed as usual.
        "echo 2 > src/app.ts; echo 3 > tools/made; echo 4 > scripts/made; echo '* filter=own' > .gitattributes; ls tools scripts",
      ].join("; "),
    );
    await workspace.stop();
    expect(output).toMatch(/tools\/hooks\/post-commit: Read-only file system/);
    expect(output).toContain("tools:\nhooks\nmade\n");
    git("add", "-A");
    git("commit", "-qm", "one");
    expect(git("log", "--format=%s")).toBe("one\n");
    expect(existsSync(join(folder, "pwned"))).toBe(false);
    expect(readdirSync(join(place.directory, "tools/hooks"))).toEqual(["README", "pre-commit"]);
    for (const path of ["conf/git", "scripts/clean.sh", "monitor", "tools/hooks/pre-commit"])
      expect(readFileSync(join(place.directory, path), "utf8")).not.toContain("pwned");
    expect(readFileSync(join(place.directory, "src/app.ts"), "utf8")).toBe("2\n");
  });
});

describe("a repository that was made inside", () => {
  /** Every way to give git a command to run; each is tried by calling git there. */
  const MAKE = [
    "arm() { git -C $1 config core.fsmonitor 'touch /tmp/treadle-pwned; false'; }",
    "git init -q sub; arm sub",
    "git init -q --bare bare; git -C bare config core.bare false; git -C bare config core.worktree ..; arm bare",
    "git init -q --separate-git-dir store filed; arm filed",
    "mkdir linked; git init -q .hidden; arm .hidden; ln -s ../.hidden/.git linked/.git",
    "mkdir -p dist/deep; git init -q dist/deep; arm dist/deep",
    "mkdir -p locked; git init -q locked; arm locked; chmod 311 locked",
    "mkdir half; git init -q half/a; arm half/a; chmod 600 half",
    "git init -q $'odd\\xff'; arm $'odd\\xff'",
    "mkdir -p fixed; git init -q fixed; arm fixed; chmod 555 fixed fixed/.git",
    "mkdir -p sub/.git/modules; git init -q --bare sub/.git/modules/m; arm sub/.git/modules/m",
  ].join("; ");

  /** Folders that the host's git treats as a repository. */
  const seenByGit = (directory: string): string[] => {
    const look = 'cd "$1" && git -c safe.directory="*" rev-parse --git-dir >&2 && echo "$1"';
    // Internal folders of a repository are not repositories.
    const inner = ["objects", "refs", "hooks", "info", "branches", "logs"];
    const skip = inner.flatMap((name) => ["-name", name, "-prune", "-o"]);
    const each = ["-type", "d", "-exec", "bash", "-c", look, "look", "{}", ";"];
    const { stdout } = spawnSync("find", [directory, ...skip, ...each], {
      env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(directory) },
    });
    return stdout
      .toString()
      .split("\n")
      .filter((line) => line !== "");
  };

  it("A23 is ignored by the host's git when the command has ended, and the output says so", async () => {
    const place = open("made");
    const workspace = await place.open();
    const reported: string[] = [];
    workspace.listen((notice) => {
      if (notice.type === "repositories-set-aside") reported.push(...notice.paths);
    });
    const { output } = await workspace.run(MAKE);
    expect(seenByGit(place.directory)).toEqual([]);
    expect(output).toContain("Git repositories that are made below the project's folder");
    expect(reported).toContain("sub/.git-made-in-sandbox");
    // Its content is preserved, but not part of the project.
    expect(existsSync(join(place.directory, "sub/.git-made-in-sandbox/objects"))).toBe(true);
    expect(JSON.stringify(await workspace.files.list())).not.toContain(".git-made-in-sandbox");
    await workspace.run("mkdir -p node_modules/a; git init -q node_modules/a");
    await workspace.stop();
    expect(seenByGit(place.directory)).toEqual([]);
    expect(reported).toContain("node_modules/a/.git-made-in-sandbox");
    // Runs git twice in every folder, which takes long on a busy machine.
  }, 120_000);

  it("A23 is also found if a server makes it, and if only the final sweep finds it", async () => {
    const place = open("server");
    const workspace = await place.open();
    const reported = new Promise<string[]>((resolve) => {
      workspace.listen((notice) => {
        if (notice.type === "repositories-set-aside") resolve(notice.paths);
      });
    });
    const pipe = await workspace.pipe("git init -q later; cat");
    expect(await reported).toEqual(["later/.git-made-in-sandbox"]);
    await pipe.kill();
    await workspace.stop();
    expect(seenByGit(place.directory)).toEqual([]);
  });

  it("A23 works normally at the root, is not visible to the host there, and can be inspected by the person afterwards", async () => {
    const place = open("root");
    let workspace = await place.open();
    const commit =
      "git init -q; git config user.name a; git config user.email a@b; git config core.fsmonitor 'touch /tmp/treadle-pwned; false'; echo one > a.txt; git add a.txt; git commit -qm one; git log --format=%s";
    expect((await workspace.run(commit)).output).toContain("one\n");
    expect((await workspace.run("git log --format=%s")).output).toBe("one\n");
    expect(seenByGit(place.directory)).toEqual([]);
    await workspace.stop();
    expect(existsSync(join(place.directory, ".git"))).toBe(false);
    expect(existsSync(join(place.directory, ".git-made-in-sandbox/HEAD.set-aside"))).toBe(true);
    expect(seenByGit(place.directory)).toEqual([]);
    // The second time works like the first.
    workspace = await place.open();
    await workspace.run("git init -q");
    await workspace.stop();
    const names = readdirSync(place.directory).filter((name) => name.startsWith(".git"));
    expect(names).toHaveLength(2);
  });

  it("A23 persists between openings of a web project, beside its files", async () => {
    const directory = join(folder, "page");
    const place = { project: "page", directory, stateDirectory: join(folder, "page-state") };
    // The layout of an older version.
    mkdirSync(directory);
    execFileSync("git", ["init", "-q", directory]);
    let workspace = await driver.open(place);
    expect(seenByGit(directory)).toEqual([]);
    await workspace.run(
      "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one; git init -q sub; git init -q ~/.cache/x",
    );
    expect(seenByGit(directory)).toEqual([]);
    const proven = await workspace.prove("git -c safe.directory='*' log --format=%s");
    expect(proven.output).toBe("one\n");
    await workspace.stop();
    // A link must not lead elsewhere either.
    expect(seenByGit(join(folder, "page-state/repository"))).toEqual([]);
    expect(seenByGit(join(folder, "page-state/cache"))).toEqual([]);
    workspace = await driver.open(place);
    expect((await workspace.run("git log --format=%s; ls -d sub/.git*")).output).toBe(
      "one\nsub/.git-made-in-sandbox\n",
    );
    await workspace.stop();
  });

  it("is not confused with one that the person made at the root meanwhile", async () => {
    const place = open("meanwhile");
    const workspace = await place.open();
    execFileSync("git", ["init", "-q", place.directory]);
    expect((await workspace.run("ls -A .git")).output).toBe("");
    await workspace.stop();
    expect(seenByGit(place.directory)).toContain(place.directory);
    expect(existsSync(join(place.directory, ".git/HEAD"))).toBe(true);
  });
});

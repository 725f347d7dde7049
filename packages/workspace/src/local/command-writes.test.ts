/** Detection, in a real sandbox, of files that commands wrote outside the project's own. */
import { expect, it } from "vitest";
import { project, useInstalls } from "./installs.test-support.ts";

useInstalls();

const FILES = {
  "package.json": {
    name: "app",
    version: "1.0.0",
    scripts: { build: "mkdir -p dist; echo 1 > dist/a" },
  },
  ".gitignore": "generated\nnode_modules\n",
};

it("reports writes to any folder that is not part of a revision, until it is removed", async () => {
  await project(FILES, async (inside, workspace) => {
    expect(await workspace.madeByCommands!()).toEqual([]);
    await inside("mkdir -p node_modules/.vite/deps generated src");
    await inside("echo x | tee node_modules/.vite/deps/a.js generated/b.js > src/c.js");
    expect((await workspace.madeByCommands!()).toSorted()).toEqual([
      "generated/b.js",
      "node_modules",
    ]);
    await inside("rm -rf node_modules generated");
    expect(await workspace.madeByCommands!()).toEqual([]);
  });
});

it("does not report writes of the project's server, of Treadle's builds, or of package managers' notes", async () => {
  const files = {
    ...FILES,
    "server.js":
      "require('fs').mkdirSync('.next/a', {recursive: true}); require('http').createServer((_, r) => { require('fs').writeFileSync('.next/a/b', 'x'); r.end('x') }).listen(3000)",
  };
  await project(files, async (inside, workspace) => {
    await workspace.run("npm run build", { isOwn: true });
    await workspace.start("node server.js", { alone: true });
    // File times lag a little: a file written just before a command would count as the command's.
    expect((await workspace.run("ls dist", { isOwn: true })).output).toBe("a\n");
    await inside(
      "mkdir -p node_modules/one && touch node_modules/.package-lock.json node_modules/one/x",
    );
    expect(await workspace.madeByCommands!()).toEqual([]);
    await workspace.run("npm run build");
    expect(await workspace.madeByCommands!()).toEqual(["dist"]);
  });
});

it("reports a folder that was moved into place with older files", async () => {
  await project({ ...FILES, "made/deps/a.js": "evil" }, async (inside, workspace) => {
    await inside("mkdir -p node_modules/.vite; mv made/deps node_modules/.vite/deps");
    expect(await workspace.madeByCommands!()).toEqual(["node_modules"]);
  });
});

it("reports writes of background processes and of terminals", async () => {
  await project(FILES, async (inside, workspace) => {
    await inside(
      "mkdir -p .cache; mkfifo go; (read < go; echo x > .cache/late; echo done > go) > /dev/null 2>&1 &",
    );
    await workspace.run("mkdir -p .cache; echo > go; read < go", { isOwn: true });
    expect(await workspace.madeByCommands!()).toEqual([".cache"]);
    await inside("rm -rf .cache");
    const terminal = await workspace.terminal({ columns: 80, rows: 20 });
    const ended = new Promise((resolve) => terminal.onExit(resolve));
    terminal.write("mkdir .cache; echo x > .cache/typed; exit\n");
    await ended;
    expect(await workspace.madeByCommands!()).toEqual([".cache"]);
  });
});

it("a clean copy contains no files fetched by commands, unless npm verifies them against the lock file", async () => {
  await project(FILES, async (inside, workspace) => {
    const seen = async () => {
      const copy = await workspace.copy!({ clean: true });
      const { output } = await copy.run("cd ~/.cache; find . -type f | sort");
      await copy.stop();
      return output;
    };
    await inside("mkdir -p ~/.cache/npm/_cacache; echo x > ~/.cache/npm/_cacache/a");
    expect(await seen()).toContain("_cacache/a");
    await inside("mkdir -p ~/.cache/tool; echo x > ~/.cache/tool/b");
    expect(await seen()).not.toMatch(/tool|_cacache/);
  });
});

it("F20 reports folders that are nested too deeply to be read, and makes a clean copy without them", async () => {
  await project({ ...FILES, ".gitignore": "deep\n" }, async (inside, workspace) => {
    const name = "n".repeat(200);
    await inside(
      `mkdir deep; cd deep; for level in $(seq 300); do mkdir ${name} && cd ${name} || exit; done; echo x > x`,
    );
    expect(await workspace.madeByCommands!()).toHaveLength(1);
    const copy = await workspace.copy!({ clean: true });
    expect((await copy.run("ls -R deep | grep -c '^n'")).output.trim()).toMatch(/^[1-9]\d?$/);
    await copy.stop();
  });
});

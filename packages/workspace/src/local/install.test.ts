/** Package managers that are called inside. */
import { describe, expect, it } from "vitest";
import { asking, project, registry, text, useInstalls } from "./installs.test-support.ts";

useInstalls();

describe("npm install", () => {
  it("prepares new packages once; the next project gets them without the registry", async () => {
    let lock = "";
    await project(asking({ one: "^1.0.0" }), async (inside, workspace) => {
      expect(await inside("npm install")).toMatch(
        /added 1 package in \d+ms \(by npm in a sandbox of its own, versions as in package-lock/,
      );
      expect(await inside(`node -p 'require("one")'`)).toBe("one 1.1.0\n");
      lock = await text(workspace, "package-lock.json");
      expect(JSON.parse(lock)).toMatchObject({ name: "app", packages: { "": { name: "app" } } });
      expect(await inside("npm i")).toContain("up to date, 1 package (prepared by Treadle)");
    });
    const before = registry.asked.length;
    await project(asking({ one: "^1.0.0" }), async (inside) => {
      expect(await inside("npm install")).toContain("(prepared by Treadle");
    });
    await project({ ...asking({ one: "^1.0.0" }), "package-lock.json": lock }, async (inside) => {
      expect(await inside("npm ci")).toContain("(prepared by Treadle");
      expect(await inside(`node -p 'require("one")'`)).toBe("one 1.1.0\n");
      await inside("echo mine > node_modules/mine");
      expect(await inside("npm ci && ls node_modules")).toMatch(/prepared by Treadle.*\none\n/s);
    });
    expect(registry.asked.slice(before)).toEqual([]);
  });

  it("fetches only the additional package", async () => {
    await project(asking({ one: "^1.0.0" }), (inside) => inside("npm install").then(() => {}));
    const before = registry.asked.length;
    await project(asking({ one: "^1.0.0", two: "1.0.0" }), async (inside) => {
      expect(await inside("npm install")).toMatch(
        /1 package in place after \d+ms \(prepared by Treadle\); npm brings the rest\s+added 1 package/,
      );
      expect(await inside(`node -p 'require("one") + require("two")'`)).toBe("one 1.1.0two\n");
    });
    await project(asking({ one: "^1.0.0" }), async (inside) => {
      expect(await inside("npm install two")).toMatch(
        /added 1 package in .*prepared.*added 1 package/s,
      );
      expect(await inside("npm ls --depth=0")).toMatch(/one@1\.1\.0\n.*two@1\.0\.0/);
    });
    expect(registry.asked.slice(before).filter((path) => !path.startsWith("/two"))).toEqual([]);
  });

  it("prepares the packages of all workspaces together", async () => {
    const files = (api: object) => ({
      "package.json": { name: "app", workspaces: ["web", "api"] },
      "web/package.json": { name: "web", version: "1.0.0", dependencies: { one: "^1.0.0" } },
      "api/package.json": { name: "api", version: "1.0.0", dependencies: api },
    });
    let lock = "";
    await project(files({ two: "1.0.0" }), async (inside, workspace) => {
      expect(await inside("npm install")).toMatch(
        /added 2 packages in \d+ms \(by npm in a sandbox/,
      );
      expect(
        await inside(`cd api && node -p 'require("two") + require("web/package.json").name'`),
      ).toBe("twoweb\n");
      lock = await text(workspace, "package-lock.json");
      expect(JSON.parse(lock).packages).toMatchObject({
        "": { name: "app", workspaces: ["web", "api"] },
        api: { version: "1.0.0", dependencies: { two: "1.0.0" } },
        "node_modules/api": { resolved: "api", link: true },
      });
      expect(await inside("npm ci && npm ls")).toMatch(/prepared by Treadle.*two@1\.0\.0/s);
    });
    const before = registry.asked.length;
    await project({ ...files({ two: "1.0.0" }), "package-lock.json": lock }, async (inside) => {
      expect(await inside("npm ci && cd api && npm ls")).toMatch(
        /prepared by Treadle.*two@1\.0\.0/s,
      );
    });
    expect(registry.asked.slice(before)).toEqual([]);
    await project(files({ two: "1.0.0", lefty: "1.0.0" }), async (inside) => {
      expect(await inside("npm install")).toMatch(/2 packages in place .*npm brings the rest/);
      expect(await inside("npm ls && npm ls --workspace api")).toMatch(/lefty@1\.0\.0/);
    });
  });

  it("leaves workspaces that need two versions of a package to npm", async () => {
    await project(
      {
        "package.json": { name: "app", workspaces: ["web", "api"] },
        "web/package.json": { name: "web", version: "1.0.0", dependencies: { one: "1.0.0" } },
        "api/package.json": { name: "api", version: "1.0.0", dependencies: { one: "1.1.0" } },
      },
      async (inside) => {
        expect(await inside("npm install")).not.toContain("Treadle");
        expect(
          await inside(`for one in web api; do (cd $one && node -p 'require("one")'); done`),
        ).toBe("one 1.0.0\none 1.1.0\n");
      },
    );
  });

  it("passes on npm's own error and exit code, and asks once", async () => {
    await project(asking({ "is-not-there": "1.0.0" }), async (_inside, workspace) => {
      const before = registry.asked.length;
      const exit = await workspace.run("npm install");
      expect(exit).toMatchObject({ kind: "exited", code: 1 });
      expect(exit.output).toContain("E404");
      expect(registry.asked.length - before).toBe(1);
    });
  });

  it("F17 cancels its work when the caller gives up", async () => {
    await project(asking({ one: "1.0.0", other: "^1.0.0" }), async (inside, workspace) => {
      const { asked, gone } = registry.hang();
      const stop = new AbortController();
      const install = workspace.run("npm install", { signal: stop.signal });
      await asked;
      stop.abort();
      expect((await install).kind).toBe("aborted");
      await gone;
      registry.answers();
      expect(await inside("npm install")).toContain("added 2 packages");
    });
  });

  it("leaves to npm what only npm can do, and says why", async () => {
    const own = { name: "app", version: "1.0.0" };
    const inner = { name: "inner", version: "1.0.0" };
    for (const [files, why] of [
      [
        { "package.json": { ...own, workspaces: ["i*"] }, "in/package.json": inner },
        "has workspaces",
      ],
      [
        {
          "package.json": { ...own, dependencies: { inner: "file:./in" } },
          "in/package.json": inner,
        },
        "inner is not from the registry (file:./in)",
      ],
      [
        {
          "package.json": {
            ...own,
            dependencies: { one: "1.0.0" },
            scripts: { postinstall: "echo mine > mine" },
          },
        },
        'has a script "postinstall"',
      ],
      [{ ...asking({ one: "1.0.0" }), ".npmrc": "save-exact=true\n" }, "the project has a .npmrc"],
    ] as const)
      await project(files, async (_inside, workspace) => {
        const exit = await workspace.run("npm install");
        expect(exit).toMatchObject({ kind: "exited", code: 0 });
        expect(exit.output).toMatch(/^Left to npm: /);
        expect(exit.output).toContain(why);
      });
    await project(
      {
        ...asking({ one: "1.0.0" }),
        "sub/package.json": { ...own, dependencies: { two: "1.0.0" } },
      },
      async (inside) => {
        expect(await inside("cd sub && npm install && ls node_modules")).toMatch(
          /added 1 .*\ntwo\n$/s,
        );
        expect(await inside("npm ci 2>&1 | head -3")).toContain("npm error");
      },
    );
  });
});

describe("a command that consists of a script or an install", () => {
  it("has the same effect as when it is part of a larger command", async () => {
    const scripts = {
      say: "echo $npm_lifecycle_event $npm_package_name; echo error >&2; exit 3",
      shell: "echo $0",
      prehook: "echo before",
      hook: "echo hook",
    };
    await project({ "package.json": { name: "app", scripts } }, async (inside, workspace) => {
      for (const name of ["say", "shell", "hook"]) {
        const alone = await workspace.run(`npm run ${name}`);
        const among = await workspace.run(`true; npm run ${name}`);
        expect(alone, name).toMatchObject({
          kind: "exited",
          code: among.kind === "exited" && among.code,
          output: among.output,
        });
      }
      expect(await inside("npm run say")).toMatch(/> app@ say\n.*\n\nsay app\nerror\n$/s);
      expect(await inside("npm run hook")).toMatch(/before\n.*hook\n$/s);
      expect(await inside("npm run is-not-there")).toContain("Missing script");
    });
    await project(asking({ one: "1.0.0" }), async (inside) => {
      expect(await inside("npm install")).toMatch(/^\nadded 1 package in/);
      expect(await inside("npm install; echo $?")).toMatch(/^\nup to date, 1 package .*\n0\n$/);
      expect(await inside("NODE_ENV=production; npm install")).toContain("up to date");
    });
  });

  it("A20 A22 is not blocked by a package.json that is a link, a pipe or no JSON", async () => {
    await project({ kept: "kept" }, async (inside, workspace) => {
      for (const make of [
        "mkfifo package.json",
        "ln -s /etc/hostname package.json",
        "ln -s . package.json",
        "echo null > package.json",
        "echo '[1]' > package.json",
        `echo '{"scripts":[1],"name":{}}' > package.json`,
      ]) {
        await inside(`rm -rf package.json; ${make}`);
        // npm itself may wait forever; nothing else does.
        const gone = new AbortController();
        const asked = workspace.run("npm run dev", { signal: gone.signal });
        expect(await text(workspace, "kept"), make).toBe("kept");
        gone.abort();
        await asked;
      }
    });
  });
});

describe("other package managers", () => {
  it("pnpm is fetched once, installs in a separate sandbox, and replaces npm install in its project", async () => {
    const files = { ...asking({ one: "1.0.0" }), "pnpm-lock.yaml": "by: hand\n" };
    await project(files, async (inside, workspace) => {
      expect(await inside("npm install")).toMatch(
        /^This is a project of pnpm, so pnpm is what runs: pnpm install\n\nadded 1 package in \d+ms \(by pnpm/,
      );
      expect(await text(workspace, "pnpm-lock.yaml")).toBe("by: pnpm\n");
      expect(await inside("pnpm add two")).toBe("this is pnpm add two\n");
      expect(await inside("npm install -D three")).toContain("this is pnpm add -D three");
      expect(await inside("ls node_modules")).toBe("one\nthree\ntwo\n");
      expect(await inside("echo x > /run/treadle/tools/x 2>&1 || echo refused")).toContain(
        "refused",
      );
    });
    await project(files, async (inside) => {
      expect(await inside("pnpm i")).toContain("(prepared by Treadle");
    });
    expect(
      registry.asked.filter((path) => path.endsWith(".tgz") && path.includes("pnpm")),
    ).toHaveLength(1);
  });

  it("scripts run without loading the manager; corepack reports that it is not needed", async () => {
    const scripts = { hello: "echo hello" };
    await project({ "package.json": { name: "app", scripts } }, async (inside) => {
      for (const command of [
        "pnpm hello",
        "pnpm run hello",
        "yarn hello",
        "bun run hello",
        "npm run hello",
      ])
        expect(await inside(command), command).toMatch(/> echo hello\n\nhello\n$/);
      expect(await inside("corepack enable")).toContain("are here without it");
    });
  });
});

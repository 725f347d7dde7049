/** Projects in which not every package may be installed. */
import { expect, it } from "vitest";
import type { WorkspaceNotice } from "../types.ts";
import { asking, driver, project, registry, text, useInstalls } from "./installs.test-support.ts";

useInstalls();

it("refuses a package in the words of the registry, names it, and installs it once it may be", async () => {
  const may = new Set(["one"]);
  const guarded = {
    ...driver,
    open: (options: Parameters<typeof driver.open>[0]) =>
      driver.open({ ...options, mayInstall: async ({ name = "" }) => may.has(name) }),
  };
  // Another project has brought it to this machine.
  await project(asking({ one: "^1.0.0", two: "1.0.0" }), async (inside) => {
    expect(await inside("npm install")).toContain("added 2 packages");
  });
  await project(
    asking({ one: "^1.0.0" }),
    async (inside, workspace) => {
      const notices: WorkspaceNotice[] = [];
      workspace.listen((notice) => void notices.push(notice));
      expect(await inside("npm install")).toContain("added 1 package");
      const exit = await workspace.run("npm install two");
      expect(exit).toMatchObject({ kind: "exited", code: 1, refusedPackages: ["two"] });
      expect(exit.output).toContain("two is new to this team");
      expect(notices).toContainEqual({ type: "package-refused", name: "two" });
      expect(JSON.parse(await text(workspace, "package.json")).dependencies).toEqual({
        one: "^1.0.0",
      });
      may.add("two");
      const again = await workspace.run("npm install two");
      expect(again).toMatchObject({ code: 0 });
      expect(again).not.toHaveProperty("refusedPackages");
      expect(await inside(`node -p 'require("one") + require("two")'`)).toBe("one 1.1.0two\n");
      const lock = await text(workspace, "package-lock.json");
      may.delete("two");
      // From a copy that has downloaded nothing, by a lock file, and past the package manager.
      const copy = await workspace.copy!({ clean: true });
      try {
        await copy.files.write("package-lock.json" as never, lock);
        const locked = await copy.run("rm -rf ~/.cache/npm node_modules; npm ci");
        expect(locked).toMatchObject({ refusedPackages: ["two"] });
        const fetched = await copy.run("curl -s ${npm_config_registry}two/-/two-1.0.0.tgz");
        expect(fetched.output).toContain("two is new to this team");
      } finally {
        await copy.stop();
      }
    },
    guarded,
  );
  expect(registry.asked).toContain("/two");
});

import { describe, expect, it } from "vitest";
import { createFakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import { inProject, readFacts } from "./project-facts.ts";

const factsOf = (files: Record<string, string>) => readFacts(createFakeWorkspace({ files }));

describe("where the project is", () => {
  it("is the only folder with a package.json, if there is none at the root", async () => {
    const facts = await factsOf({
      "README.md": "",
      "my app/package.json": '{"scripts":{"dev":"vite"}}',
      "my app/packages/a/package.json": "{}",
      "my app/index.html": "",
    });
    expect(facts).toMatchObject({ folder: "my app", indexHtml: true });
    expect(facts.manifest?.scripts).toEqual({ dev: "vite" });
    expect(inProject(facts, "npm run dev")).toBe("cd 'my app' && npm run dev");
  });

  it("is the root, where a page or a package.json stands there, or nobody can tell", async () => {
    for (const root of ["index.html", "package.json", "b/package.json"]) {
      const facts = await factsOf({ "a/package.json": "{}", [root]: "{}" });
      expect(facts.folder).toBeUndefined();
      expect(inProject(facts, "npm start")).toBe("npm start");
    }
  });

  it("is where the server was started, of several", async () => {
    const workspace = createFakeWorkspace({
      files: { "api/package.json": "{}", "web/package.json": '{"scripts":{"dev":"vite"}}' },
      serve: () => (_, response) => void response.end("ok"),
    });
    await workspace.start("cd web && npm run dev");
    expect((await readFacts(workspace)).folder).toBe("web");
  });
});

describe("the package manager of the project", () => {
  it.each([
    [{ "package.json": '{"packageManager":"yarn@4.9.2"}', "package-lock.json": "" }, "yarn"],
    [{ "package.json": "{}", "pnpm-lock.yaml": "" }, "pnpm"],
    [{ "package.json": "{}", "pnpm-workspace.yaml": "packages:\n  - 'a'\n" }, "pnpm"],
    [{ "package.json": "{}", "bun.lock": "" }, "bun"],
    [{ "package.json": "{}", "package-lock.json": "" }, undefined],
    [{ "package.json": '{"packageManager":"constructor@1"}' }, undefined],
  ])("is determined by packageManager, or else by the lock file: %j", async (files, name) => {
    expect((await factsOf(files as Record<string, string>)).manager?.name).toBe(name);
  });

  it("says which folders are workspaces", async () => {
    const textOf = async (manifest: object, pnpm?: string) =>
      (
        await factsOf({
          "package.json": JSON.stringify(manifest),
          ...(pnpm !== undefined && { "pnpm-workspace.yaml": pnpm }),
        })
      ).manifest?.workspaces;
    expect(await textOf({ workspaces: ["packages/*"] })).toEqual(["packages/*"]);
    expect(await textOf({ workspaces: { packages: ["a"] } })).toEqual(["a"]);
    const yaml =
      "# x\npackages:\n  - \"packages/*\" # all\n\n  - '!**/test'\n- apps/web\ncatalog:\n  a: 1\n";
    expect(await textOf({}, yaml)).toEqual(["packages/*", "!**/test", "apps/web"]);
    expect(await textOf({}, "onlyBuiltDependencies:\n  - esbuild\n")).toBeUndefined();
    expect(await textOf({})).toBeUndefined();
  });
});

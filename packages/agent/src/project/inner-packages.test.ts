import { describe, expect, it } from "vitest";
import { createFakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import { findInnerPackages } from "./inner-packages.ts";
import { readFacts } from "./project-facts.ts";

async function found(scripts: Record<string, string>, more: Record<string, unknown> = {}) {
  const workspace = createFakeWorkspace({
    files: {
      "package.json": JSON.stringify({ scripts, ...more }),
      "api/package.json": "{}",
      "web/package.json": "{}",
      "examples/one/package.json": "{}",
    },
  });
  return findInnerPackages(await readFacts(workspace), workspace);
}

describe("packages in folders of a project", () => {
  it.each([
    ["cd api && npm run dev", ["api"]],
    ["npm --prefix api run dev", ["api"]],
    ["npm run dev --prefix=api", ["api"]],
    ["pnpm -C ./web dev", ["web"]],
    ["yarn --cwd web dev", ["web"]],
    ['concurrently "npm --prefix api start" "cd web && vite"', ["api", "web"]],
    ["(cd api && npm start) & (cd web && vite)", ["api", "web"]],
    ["vite", []],
    ["cd elsewhere && npm start", []],
  ])("are those that its scripts work in: %s", async (dev, folders) => {
    expect(await found({ dev })).toEqual({ folders });
  });

  it.each<Record<string, string>>([
    { all: "npm install && npm --prefix api install && cd web && npm ci" },
    { all: "npm run a && npm run b", a: "cd api && npm i", b: "npm i --prefix web" },
  ])("are installed by the script that installs all of them", async (scripts) => {
    expect(await found(scripts)).toEqual({ folders: ["api", "web"], script: "all" });
  });

  it("have no such script if it does more, or leaves one out", async () => {
    const dev = "cd api && npm start & cd web && vite";
    expect((await found({ dev, all: "cd api && npm i" })).script).toBeUndefined();
    expect(
      (await found({ all: "npm i --prefix api && npm i --prefix web && vite" })).script,
    ).toBeUndefined();
  });

  it("are none where the project's own install brings what they ask for", async () => {
    const scripts = { dev: "cd api && npm start", postinstall: "cd api && npm install" };
    expect(await found(scripts)).toEqual({ folders: [] });
    const workspaces = ["api"];
    expect(await found({ dev: "cd api && vite", all: "npm install" }, { workspaces })).toEqual({
      folders: [],
    });
  });

  it("are none of a project with workspaces, whose script that installs elsewhere is named all the same", async () => {
    const all = "npm install && cd somewhere && npm install";
    expect(await found({ all }, { workspaces: ["api"] })).toEqual({ folders: [], script: "all" });
  });
});

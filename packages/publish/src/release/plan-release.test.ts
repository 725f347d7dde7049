import { describe, expect, it } from "vitest";
import { readFacts } from "@treadle/agent";
import { createFakeWorkspace } from "../../../agent/src/testing/fake-workspace.test-support.ts";
import { planRelease } from "./plan-release.ts";

const planned = async (files: Record<string, string>) =>
  planRelease(await readFacts(createFakeWorkspace({ files })));
const manifest = (scripts: object, dependencies: object = {}) =>
  JSON.stringify({ scripts, dependencies });

describe("what is published", () => {
  it("a page without a build is its own files", async () => {
    expect(await planned({ "index.html": "" })).toEqual({ servers: [], site: ["."] });
    expect(
      await planned({ "index.html": "", "package.json": manifest({ dev: "treadle-serve" }) }),
    ).toEqual({ servers: [], site: ["."] });
  });

  it.each([
    "vite preview",
    "serve -s dist",
    "npx --yes serve",
    "cd dist&&http-server",
    "vite",
    "npm run dev",
  ])("is what its build writes, where “start” only shows that: %s", async (start) => {
    const plan = await planned({
      "index.html": "",
      "package.json": manifest({ dev: "vite", build: "vite build", start }, { vite: "8" }),
    });
    expect(plan).toMatchObject({
      install: "npm install --no-audit --no-fund",
      build: "npm run build",
    });
    expect(plan).not.toHaveProperty("start");
    expect(plan).toHaveProperty("site", expect.arrayContaining(["dist"]));
  });

  it("an app is its own server, built first if it has a build", async () => {
    expect(
      await planned({ "package.json": manifest({ start: "node server.js" }, { express: "5" }) }),
    ).toMatchObject({ start: "npm start", site: [] });
    expect(
      await planned({
        "api/package.json": manifest({ build: "tsc", start: "node dist/x.js" }, { a: "1" }),
        "pnpm-lock.yaml": "",
        "api/pnpm-lock.yaml": "",
      }),
    ).toEqual({
      install: "cd api && pnpm install",
      build: "cd api && npm run build",
      start: "cd api && npm start",
      servers: [],
      site: [],
    });
  });

  it.each([
    'concurrently "node api.js" "vite preview"',
    "node serve.js",
    "node ./bin/serve.mjs",
    "NODE_ENV=production node serve",
    "tsx serve.ts",
  ])("is its own server, whatever its file is called: %s", async (start) => {
    expect(await planned({ "package.json": manifest({ start }) })).toMatchObject({
      start: "npm start",
    });
  });

  it("an app that only “dev” starts is its own server, without watching for changes", async () => {
    expect(
      await planned({
        "package.json": manifest(
          { dev: "tsx watch src/server.ts", build: "vite build" },
          { a: "1" },
        ),
      }),
    ).toMatchObject({
      build: "npm run build",
      start: "npx --no-install tsx src/server.ts",
      site: [],
    });
  });

  it("a server beside the development server is refused, since a site alone would lack it", async () => {
    const scripts = { dev: 'concurrently "vite" "node api.js"', build: "vite build" };
    expect(
      await planned({ "index.html": "", "package.json": manifest(scripts, { vite: "8" }) }),
    ).toHaveProperty("problem.coded.code", "two-servers");
    const start = "node api.js";
    expect(
      await planned({
        "index.html": "",
        "package.json": manifest({ ...scripts, start }, { vite: "8" }),
      }),
    ).toMatchObject({ start: "npm start" });
  });

  it("a framework's server is used if no script starts it", async () => {
    expect(
      await planned({
        "package.json": manifest({ dev: "next dev", build: "next build" }, { next: "16" }),
      }),
    ).toMatchObject({ build: "npm run build", start: "npx --no-install next start" });
  });

  it("Next's static export is served as files", async () => {
    const scripts = { dev: "next dev", build: "next build", start: "next start" };
    expect(await planned({ "package.json": manifest(scripts, { next: "16" }) })).toMatchObject({
      start: "npm start",
      site: ["out"],
    });
  });

  it("the server that a build wrote is used, or else its files", async () => {
    const scripts = { dev: "nuxt dev", build: "nuxt build", preview: "nuxt preview" };
    const plan = await planned({ "web/package.json": manifest(scripts, { nuxt: "4" }) });
    expect(plan).toMatchObject({
      servers: expect.arrayContaining([
        {
          file: "web/.output/server/index.mjs",
          command: "cd web && node .output/server/index.mjs",
        },
      ]),
      site: expect.arrayContaining(["web/.output/public"]),
    });
    expect(plan).not.toHaveProperty("start");
  });

  it.each([
    [{ "README.md": "" }, "nothing-to-publish"],
    [{ "package.json": "{" }, "manifest-unreadable"],
    [{ "package.json": manifest({ dev: "vite" }, { vite: "8" }) }, "development-server-only"],
  ])("is nothing, and it is said why: %j", async (files, code) => {
    expect(await planned(files as Record<string, string>)).toHaveProperty(
      "problem.coded.code",
      code,
    );
  });
});

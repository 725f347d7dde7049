import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { containerFilesOf } from "./dockerfile.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function dockerfile(files: Record<string, string | object>): string {
  const folder = mkdtempSync(join(tmpdir(), "treadle-docker-"));
  folders.push(folder);
  for (const [name, content] of Object.entries(files))
    writeFileSync(
      join(folder, name),
      typeof content === "string" ? content : JSON.stringify(content),
    );
  const made = containerFilesOf(folder);
  return made?.["Dockerfile"] ?? "";
}

describe("a project's Dockerfile", () => {
  it("runs a start script, after the build", () => {
    const scripts = { dev: "tsx watch a.ts", build: "tsc", start: "node dist/a.js" };
    const text = dockerfile({ "package.json": { scripts }, "package-lock.json": "{}" });
    expect(text).toMatch(
      /RUN npm ci\nRUN npm run build\n[^]*USER node\nHEALTHCHECK .*\nCMD npm run start\n$/,
    );
  });

  it("serves a built site as files, and finds the tool's output folder", () => {
    const text = dockerfile({ "package.json": { scripts: { dev: "vite", build: "vite build" } } });
    expect(text).toMatch(/RUN npm install\nRUN npm run build\nRUN for made in dist build out/);
    expect(text).toMatch(/FROM \$\{SITE_IMAGE\}\nCOPY --from=app \/site \/site\n[^]*nginx\.conf/);
  });

  it("starts Next with its own server", () => {
    const manifest = { scripts: { build: "next build" }, dependencies: { next: "16.0.0" } };
    expect(dockerfile({ "package.json": manifest })).toContain("CMD npx next start");
  });

  it("runs a dev script if there is nothing else", () => {
    const text = dockerfile({ "package.json": { scripts: { dev: "node server.js" } } });
    expect(text).toContain("CMD npm run dev");
  });

  it.each([
    ["pnpm-lock.yaml", "RUN corepack enable && pnpm install --frozen-lockfile", "pnpm run start"],
    ["yarn.lock", "RUN corepack enable && yarn install --immutable", "yarn run start"],
  ])("installs with the package manager of %s", (lock, install, start) => {
    const text = dockerfile({ "package.json": { scripts: { start: "node a.js" } }, [lock]: "" });
    expect(text).toContain(install);
    expect(text).toContain(`CMD ${start}`);
  });

  it("serves a static folder unchanged, even beside a package.json without scripts", () => {
    expect(dockerfile({ "index.html": "x" })).toContain("COPY . /site");
    expect(dockerfile({ "index.html": "x", "package.json": {} })).toContain("COPY . /site");
  });

  it("compiles what its lock file requires, and keeps a database beside its sources", () => {
    const text = dockerfile({
      "package.json": { scripts: { dev: "node server.js" } },
      "package-lock.json": { packages: { "node_modules/node-addon-api": {} } },
      "guests.db": "",
    });
    expect(text).toContain("g++ make python3");
    expect(text).toContain("ln -s data/guests.db guests.db");
  });

  it("reports that there is nothing to run", () => {
    expect(dockerfile({ "notes.txt": "x" })).toBe("");
  });
});

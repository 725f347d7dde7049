/**
 * Treadle as the package that `npm run pack` builds: installed by npm without a checkout, and used
 * from there.
 */
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { createScriptedModel, loadScript, testScript } from "@treadle/scripted-model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bareEnvironment, cache, root, scriptedBy } from "./support/treadle.ts";

const run = promisify(execFile);
const TIME_TO_INSTALL_MS = 280_000;

let place: string;
let home: string;
let env: Record<string, string>;
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "treadle-package-"));
  home = mkdtempSync(join(tmpdir(), "treadle-home-"));
  const tarball = join(home, "treadle.tgz");
  await run(process.execPath, [join(root, "scripts/pack.mjs"), tarball]);
  const npm = async (...words: string[]) =>
    (await run("npm", words, { cwd: place, env, maxBuffer: 1e8 })).stdout.trim();
  const bare = bareEnvironment();
  env = bare;
  const registry = await npm("config", "get", "registry");
  const npmCache = await npm("config", "get", "cache");
  // The user's own Node comes first in PATH, as it does without a checkout.
  const PATH = bare.PATH!.split(delimiter).filter((folder) => !folder.startsWith(root));
  // Their home is empty; what this machine has downloaded before is not downloaded again.
  env = {
    ...bare,
    PATH: PATH.join(delimiter),
    HOME: home,
    npm_config_registry: registry,
    npm_config_cache: npmCache,
  };
  await npm("install", "--prefer-offline", "--no-audit", "--no-fund", tarball);
}, TIME_TO_INSTALL_MS);
afterAll(() => {
  for (const folder of [place, home]) rmSync(folder, { recursive: true, force: true });
});

const treadle = (words: string[], more: Record<string, string> = {}) =>
  run(join(place, "node_modules/.bin/treadle"), words, {
    cwd: place,
    env: { ...env, ...more },
    maxBuffer: 1e8,
  });

describe("the package, in an empty folder with an empty home", () => {
  it("reports what this machine supports", async () => {
    const { stdout } = await treadle(["doctor"]);
    expect(stdout).toContain("Treadle can run here.");
    // Its columns are as wide as their longest words.
    expect(stdout.replace(/ +/g, " ")).toContain(`data folder ${join(home, ".treadle")}`);
  });

  it("builds an app from one prompt, verified", async () => {
    const model = await createScriptedModel({ script: loadScript(testScript("early-done")) });
    try {
      const { stdout } = await treadle(["run", "Build a page", "--dir", "app", "--json"], {
        ...scriptedBy(model),
        TREADLE_CACHE: cache,
      });
      const result = JSON.parse(stdout.trim().split("\n").at(-1)!) as object;
      expect(result).toMatchObject({ type: "result", verdict: "runs" });
      expect(existsSync(join(place, "app/server.js"))).toBe(true);
    } finally {
      await model.close();
    }
  });

  it("serves the page", async () => {
    const words = ["serve", "--port", "0", "--no-open"];
    const bin = join(place, "node_modules/.bin/treadle");
    const server = spawn(bin, words, { cwd: place, env: { ...env, TREADLE_PREPARE: "none" } });
    try {
      const address = await new Promise<string>((resolve, reject) => {
        server.once("exit", () => reject(new Error("It ended before it said its address.")));
        createInterface({ input: server.stdout }).on("line", (line) => {
          const found = /http:\/\/\S+/.exec(line);
          if (found) resolve(found[0]);
        });
      });
      const { origin } = new URL(address);
      const entered = await fetch(address, { redirect: "manual" });
      const cookie = entered.headers.get("set-cookie")!.split(";")[0]!;
      const page = await (await fetch(`${origin}/`, { headers: { cookie } })).text();
      const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
      expect(await (await fetch(origin + script!, { headers: { cookie } })).status).toBe(200);
    } finally {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGTERM");
      await ended;
    }
  });

  it("tells npm which machines it supports", () => {
    const { os, cpu } = JSON.parse(
      readFileSync(join(place, "node_modules/treadle/package.json"), "utf8"),
    ) as { os: string[]; cpu: string[] };
    expect({ os, cpu }).toEqual({ os: [process.platform], cpu: [process.arch] });
  });
});

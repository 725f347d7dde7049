/**
 * Time from an empty project to the page with all its modules, for the React template: with its
 * dependencies prepared, not yet prepared, and prepared with one additional package; compared, in
 * the same run and outside the sandbox, with the same steps by hand. `TREADLE_BENCH_ROUNDS`
 * (default 5) sets the number of rounds; measurements without any cache run at most twice.
 */
import { toProjectPath } from "@treadle/protocol/project-path";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createLocalDriver, readTemplate, type WorkspaceDriver } from "@treadle/workspace";
import { bareEnvironment, cache, root } from "../e2e/support/treadle.ts";
import { loadPageGraph } from "./support/page-graph.ts";

const ROUNDS = Number(process.env.TREADLE_BENCH_ROUNDS) || 5;
const COLD_ROUNDS = Math.min(ROUNDS, 2);
const MORE = { name: "zustand", version: "5.1.0" };
const PNPM = "11.28.10";
/** Nothing listens there: prepared dependencies must work without a registry. */
const NO_REGISTRY = "http://127.0.0.1:9/";
const PORT = 21_735;

interface Taken {
  installMs: number;
  /** From the very beginning, in milliseconds. */
  pageMs: number;
  modules: number;
}
type Files = readonly { path: string; content: string }[];

const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const scratch = mkdtempSync(join(tmpdir(), "treadle-bench-"));
let projects = 0;

const template = readTemplate("react");
/** The same app, with an additional package that it uses. */
const withMore: Files = template.map(({ path, content }) => {
  if (path === "package.json") {
    const manifest = JSON.parse(content) as { dependencies: Record<string, string> };
    manifest.dependencies[MORE.name] = MORE.version;
    return { path, content: JSON.stringify(manifest, null, 2) };
  }
  if (path === "src/App.tsx")
    return {
      path,
      content: `import { create } from "${MORE.name}";\ncreate(() => ({}));\n${content}`,
    };
  return { path, content };
});

async function inTreadle(driver: WorkspaceDriver, files: Files): Promise<Taken> {
  const folder = join(scratch, `project-${++projects}`);
  const began = performance.now();
  const workspace = await driver.open({
    project: `bench-${process.pid}-${projects}`,
    directory: join(folder, "files"),
    stateDirectory: join(folder, "state"),
  });
  try {
    for (const { path, content } of files)
      await workspace.files.write(toProjectPath(path), content);
    const installing = performance.now();
    const exit = await workspace.run("npm install");
    if (exit.kind !== "exited" || exit.code !== 0) throw new Error(exit.output);
    const installMs = performance.now() - installing;
    const server = await workspace.start("npm run dev");
    if (server.state !== "up") throw new Error(server.tail);
    const modules = await loadPageGraph(() => workspace.connect(server.ports[0]!));
    return { installMs, pageMs: performance.now() - began, modules };
  } finally {
    await workspace.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const npm = [process.execPath, join(root, "node_modules/npm/bin/npm-cli.js")];
const environment = (changes: Record<string, string> = {}) => ({
  ...bareEnvironment(),
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  ...changes,
});

/** Starts a dev server by hand, and measures from its start to the last module. */
async function serve(folder: string, words: readonly string[]): Promise<number> {
  const more = ["--port", String(PORT), "--strictPort", "--host", "127.0.0.1"];
  const child = spawn(words[0]!, [...words.slice(1), ...more], {
    cwd: folder,
    env: environment(),
    stdio: "ignore",
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  try {
    return await loadPageGraph(
      () =>
        new Promise((resolve, reject) => {
          const socket = connect(PORT, "127.0.0.1", () => resolve(socket)).on("error", reject);
        }),
    );
  } finally {
    process.kill(-child.pid!, "SIGKILL");
    await ended;
  }
}

/** Measures a project by hand: `install` and `start`, without `prepare`. */
async function byHand(
  files: Files,
  steps: {
    prepare?(folder: string): void;
    install?(folder: string): void;
    start: readonly string[];
  },
): Promise<Taken> {
  const folder = join(scratch, `by-hand-${++projects}`);
  mkdirSync(folder);
  try {
    steps.prepare?.(folder);
    const began = performance.now();
    for (const { path, content } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    const installing = performance.now();
    steps.install?.(folder);
    const installMs = performance.now() - installing;
    const modules = await serve(folder, steps.start);
    return { installMs, pageMs: performance.now() - began, modules };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const execute = (words: readonly string[], cwd: string, env: Record<string, string> = {}) =>
  void execFileSync(words[0]!, words.slice(1), { cwd, env: environment(env), stdio: "pipe" });
const npmRunDev = [...npm, "run", "dev", "--"];
const npmInstall = (env?: Record<string, string>) => (folder: string) =>
  execute([...npm, "install"], folder, env);

/**
 * pnpm in its best case: with a filled store and a lock file, without network requests, in one flat
 * folder.
 */
async function pnpmAtItsBest(): Promise<() => Promise<Taken>> {
  const tool = join(scratch, "pnpm");
  mkdirSync(tool);
  execute([...npm, "install", "--prefix", tool, `pnpm@${PNPM}`], tool);
  const pnpm = join(tool, "node_modules/.bin/pnpm");
  const settings = ["--store-dir", join(scratch, "pnpm-store"), "--config.node-linker=hoisted"];
  const made = join(scratch, "pnpm-lock");
  mkdirSync(made);
  writeFileSync(
    join(made, "package.json"),
    template.find(({ path }) => path === "package.json")!.content,
  );
  execute([pnpm, "install", ...settings], made);
  return () =>
    byHand(template, {
      prepare: (folder) => cpSync(join(made, "pnpm-lock.yaml"), join(folder, "pnpm-lock.yaml")),
      install: (folder) =>
        execute([pnpm, "install", "--frozen-lockfile", "--offline", ...settings], folder),
      start: ["node_modules/.bin/vite"],
    });
}

/**
 * Everything is installed, including what Vite generates from the dependencies at its first start.
 */
async function inPlace(): Promise<() => Promise<Taken>> {
  const ready = join(scratch, "in-place");
  mkdirSync(ready);
  for (const { path, content } of template) {
    mkdirSync(dirname(join(ready, path)), { recursive: true });
    writeFileSync(join(ready, path), content);
  }
  npmInstall()(ready);
  await serve(ready, npmRunDev);
  return async () => {
    const began = performance.now();
    const modules = await serve(ready, npmRunDev);
    return { installMs: 0, pageMs: performance.now() - began, modules };
  };
}

const driverOf = (cacheDirectory: string, env: Record<string, string>) =>
  createLocalDriver({ cacheDirectory, env: environment(env) });

/** The template is prepared for the first time, as after a server's first start. */
async function cold(): Promise<Taken> {
  const cacheDirectory = join(scratch, `cold-${++projects}`);
  const driver = driverOf(cacheDirectory, { TREADLE_PREPARE: "react" });
  try {
    const prepared = driver.prepareTemplates();
    prepared.catch(() => undefined);
    const taken = await inTreadle(driver, template);
    await prepared;
    return taken;
  } finally {
    await driver.close();
    rmSync(cacheDirectory, { recursive: true, force: true });
  }
}

const online = driverOf(cache, { TREADLE_PREPARE: "react" });
const offline = driverOf(cache, { npm_config_registry: NO_REGISTRY });
try {
  await online.prepareTemplates();
  const [pnpm, hand] = [await pnpmAtItsBest(), await inPlace()];
  const recipes = {
    "in Treadle, template warm, no registry": () => inTreadle(offline, template),
    "by hand, everything in place": hand,
    "by hand, pnpm at its best": pnpm,
    "by hand, npm": () => byHand(template, { install: npmInstall(), start: npmRunDev }),
    "in Treadle, one package more": () => inTreadle(online, withMore),
    "by hand, npm, one package more": () =>
      byHand(withMore, { install: npmInstall(), start: npmRunDev }),
    "in Treadle, template cold": cold,
    "by hand, npm, cold": () => {
      const own = join(scratch, `npm-cache-${++projects}`);
      return byHand(template, { install: npmInstall({ npm_config_cache: own }), start: npmRunDev });
    },
  };
  type Name = keyof typeof recipes;
  const names = Object.keys(recipes) as Name[];
  const taken = new Map<Name, Taken[]>(names.map((name) => [name, []]));
  // Alternately, each once unmeasured, except those that start without caches.
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of names) {
      const isCold = name.endsWith("cold");
      if (isCold ? round >= COLD_ROUNDS : false) continue;
      const one = await recipes[name]();
      if (round > 0 || isCold) taken.get(name)!.push(one);
    }
  const page = (name: Name) => median(taken.get(name)!.map(({ pageMs }) => pageMs));
  print("from an empty project to the page with all its modules (median; each)");
  for (const name of names) {
    const all = taken.get(name)!;
    const install = Math.round(median(all.map(({ installMs }) => installMs)));
    const each = all.map(({ pageMs }) => Math.round(pageMs)).join(" ");
    print(
      `${name.padEnd(40)}${String(Math.round(page(name))).padStart(6)} ms, install ${String(install).padStart(5)} ms, ${all[0]!.modules} modules (${each})`,
    );
  }
  const compare = (ours: Name, theirs: Name, aim?: number) =>
    print(
      `ratio ${(page(ours) / page(theirs)).toFixed(2)}  ${ours} : ${theirs}${aim === undefined ? "" : `, aim ${aim}`}`,
    );
  compare("in Treadle, template warm, no registry", "by hand, everything in place", 1.1);
  compare("in Treadle, template warm, no registry", "by hand, pnpm at its best");
  compare("in Treadle, template warm, no registry", "by hand, npm");
  compare("in Treadle, one package more", "by hand, npm, one package more", 0.5);
  compare("in Treadle, template cold", "by hand, npm, cold");
} finally {
  await online.close();
  await offline.close();
  rmSync(scratch, { recursive: true, force: true });
}

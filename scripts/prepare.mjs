/**
 * Brings a bare checkout to the point where the rest can run: dependencies installed, Node 24 found, sources built.
 * Uses nothing but Node's own modules, and runs on Node 20 and newer.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const installStamp = join(root, "node_modules", ".treadle-installed");
const buildStamp = join(root, ".cache", "built");
const pageScripts = join(root, "packages", "probe", "src", "scripts.ts");
const clientTypes = join(root, "packages", "client", "src", "api.ts");
const generatedStamp = join(root, ".cache", "generated");

/** Between two reports of how far an install is, in milliseconds: in a terminal, and where each is a line of its own. */
const TOLD_MS = 300;
const TOLD_LINE_MS = 5_000;

/** Ends the process with a sentence for people and no stack. */
export function fail(sentence) {
  process.stderr.write(`\n${sentence}\n`);
  process.exit(1);
}

function hashOf(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/**
 * Installs what package-lock.json names, unless it is installed already, and says meanwhile how far that is.
 * @param tools whether to install what only Treadle's own tests and checks need as well
 */
export async function ensureInstalled({ tools = true } = {}) {
  if (Number(process.versions.node.split(".")[0]) < 20)
    fail(`Treadle needs Node 20 or newer to start; this is ${process.version}.`);
  const lock = hashOf(join(root, "package-lock.json"));
  const withTools = `${lock} with tools`;
  const installed = existsSync(installStamp) ? readFileSync(installStamp, "utf8") : "";
  if (installed === withTools || (!tools && installed === lock)) return;
  const npm = process.env.npm_execpath;
  // Not `npm ci`: it refuses a lock file that lacks the binaries of platforms a registry does not carry, and mirrors often
  // carry only some. `--no-save` leaves the lock file as it is.
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--no-progress"];
  // No package needs its scripts: those that some have compile what is only quicker (seconds, and a compiler that may be missing).
  args.push("--ignore-scripts", "--loglevel=error", ...(tools ? [] : ["--omit=dev"]));
  const [program, before] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  const child = spawn(program, [...before, ...args], {
    cwd: root,
    stdio: ["inherit", "ignore", "inherit"],
  });
  const stopTelling = tellInstalled(tools);
  const status = await new Promise((resolve) => {
    child.on("error", () => resolve(1));
    child.on("close", resolve);
  });
  stopTelling();
  if (status !== 0)
    fail("npm could not install the dependencies; its own message is above. Nothing was started.");
  writeFileSync(installStamp, tools ? withTools : lock);
}

/** Says how many of the packages are there already, in one line that is written over in a terminal. */
function tellInstalled(tools) {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  // Which optional ones come depends on the machine in ways that only npm knows.
  const files = Object.entries(packages)
    .filter(([place, { dev, link, optional }]) => {
      const isPackage = place.includes("node_modules/") && !link;
      return isPackage && !optional && (tools || !dev);
    })
    .map(([place]) => join(root, place, "package.json"));
  const { isTTY } = process.stdout;
  const report = () => {
    const there = files.filter((file) => existsSync(file)).length;
    const line = `Installing what Treadle is made of (once): ${there} of ${files.length} packages`;
    process.stdout.write(isTTY ? `\r${line}` : `${line}\n`);
  };
  report();
  const timer = setInterval(report, isTTY ? TOLD_MS : TOLD_LINE_MS);
  return () => {
    clearInterval(timer);
    if (isTTY) process.stdout.write("\n");
  };
}

/** Path of a Node 24 or newer: this one, or the one that came with the dependencies. */
export function node24() {
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  const bundled = join(root, "node_modules", `node-linux-${process.arch}`, "bin", "node");
  if (existsSync(bundled)) return bundled;
  fail(
    `Treadle needs Node 24 or newer; this is ${process.version}, and npm has no Node 24 package for ` +
      `${process.platform}-${process.arch}. Install it from nodejs.org and start again.`,
  );
}

/** Runs a program in the checkout with the terminal's own streams; gives its exit status. */
export function runNode(args, env = process.env) {
  return spawnSync(node24(), args, optionsIn(env)).status ?? 1;
}

/** As `runNode`, beside whatever else this process does. */
export function startNode(args, env = process.env) {
  return new Promise((resolve) => {
    const child = spawn(node24(), args, optionsIn(env));
    child.on("error", () => resolve(1));
    child.on("close", (status) => resolve(status ?? 1));
  });
}

/** Node 24 comes first on the path, for what is started by name. */
function optionsIn(env) {
  const path = `${dirname(node24())}:${env.PATH ?? ""}`;
  return { cwd: root, stdio: "inherit", env: { ...env, PATH: path } };
}

/** Changes whenever a source file is added, removed or touched; costs a few milliseconds. */
function sourceFingerprint() {
  const hash = createHash("sha256");
  const visit = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === "node_modules" || entry.name === "dist") continue;
      // Tests are not built, and what the compiler notes is no source.
      if (/\.test\.ts$|\.tsbuildinfo$/.test(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile()) {
        const { mtimeMs, size } = statSync(path);
        hash.update(`${path.slice(root.length)} ${mtimeMs} ${size}\n`);
      }
    }
  };
  for (const folder of ["packages", "apps"]) visit(join(root, folder));
  for (const file of ["package-lock.json", "scripts/build.mjs", "scripts/compile-packages.mjs"])
    hash.update(hashOf(join(root, file)));
  return hash.digest("hex");
}

const isGenerated = () => existsSync(pageScripts) && existsSync(clientTypes);

/** Writes the programs that run in pages as texts, which are not committed. Gives the exit status. */
export const generateScripts = () => runNode(["packages/probe/generate.ts"]);

/**
 * Writes the sources that are not committed, unless nothing changed since: the programs that run in pages, and the client's
 * types. The server describes its API from its sources: compiling it needs the client already. Gives the exit status, 0 where
 * there was nothing to do.
 */
export function generateSources() {
  const fingerprint = sourceFingerprint();
  const isCurrent =
    existsSync(generatedStamp) && readFileSync(generatedStamp, "utf8") === fingerprint;
  if (isCurrent && isGenerated()) return 0;
  const status =
    generateScripts() || runNode(["--conditions=treadle-source", "packages/client/generate.mjs"]);
  if (status !== 0) return status;
  mkdirSync(dirname(generatedStamp), { recursive: true });
  writeFileSync(generatedStamp, sourceFingerprint());
  return 0;
}

/** Writes those sources if there are none yet: for people who compile by hand in a new checkout. */
export function ensureGenerated() {
  if (!isGenerated()) generateSources();
}

/** Builds what runs, unless nothing changed since that was built last. */
export function ensureBuilt() {
  const fingerprint = sourceFingerprint();
  if (existsSync(buildStamp) && readFileSync(buildStamp, "utf8") === fingerprint) return;
  process.stdout.write("Building…\n");
  if (runNode([join(root, "scripts", "build.mjs"), "--no-types"]) !== 0)
    fail("The build failed; its own message is above. Nothing was started.");
  mkdirSync(dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, sourceFingerprint());
}

/**
 * `npm run pack [FILE]`: Treadle as one package that npm installs (`.cache/treadle-VERSION-linux-x64.tgz` by default), for
 * machines that have no checkout. Our own packages travel inside it, built; everybody else's are named with their exact
 * versions and come from the registry. The sandbox's guest holds native code, so a package serves the kind of machine that
 * made it, and says so to npm.
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ensureBuilt, ensureInstalled, fail, root } from "./prepare.mjs";

await ensureInstalled();
ensureBuilt();
// It needs what was just installed.
const { bundleProgram } = await import("./bundle-program.mjs");

const read = (...path) => JSON.parse(readFileSync(join(root, ...path, "package.json"), "utf8"));
const cli = read("apps/cli");
const platform = `${process.platform}-${process.arch}`;
const stage = join(root, ".cache/pack/package");
const file = resolve(
  process.argv[2] ?? join(root, `.cache/treadle-${cli.version}-${platform}.tgz`),
);
rmSync(dirname(stage), { recursive: true, force: true });

/** What only who works on Treadle reads: types, source maps, and what tests share. */
const isNeeded = (path) => !/\.(d\.ts|map|tsbuildinfo)$|\.test(-support)?\.js$/.test(path);
const lay = (from, to) =>
  cpSync(join(root, from), join(stage, to), {
    recursive: true,
    dereference: true,
    filter: isNeeded,
  });

lay("apps/cli/dist", "dist");
lay("apps/cli/bin", "bin");
lay("apps/web/dist", "web");
lay("LICENSE", "LICENSE");
lay("README.md", "README.md");

const own = new Set();
const foreign = new Map();
/** One of our own packages, with those of ours that it needs; collects what is everybody else's. */
function take(name) {
  if (own.has(name)) return;
  own.add(name);
  const folder = join("packages", name.slice("@treadle/".length));
  const { version, type, license, exports, dependencies } = read(folder);
  const to = join("node_modules", name);
  for (const part of ["dist", "templates", "docker", "demos"])
    if (existsSync(join(root, folder, part))) lay(join(folder, part), join(to, part));
  write(to, { name, version, type, license, exports: built(exports), dependencies });
  note(dependencies);
}
function note(dependencies = {}) {
  for (const [name, version] of Object.entries(dependencies))
    if (name.startsWith("@treadle/")) take(name);
    else foreign.set(name, version);
}
/** Entries for users without the sources. */
const built = (entries) =>
  Object.fromEntries(
    Object.entries(entries).flatMap(([name, entry]) =>
      entry.default ? [[name, entry.default]] : entry.endsWith(".json") ? [[name, entry]] : [],
    ),
  );
function write(folder, content) {
  mkdirSync(join(stage, folder), { recursive: true });
  writeFileSync(join(stage, folder, "package.json"), `${JSON.stringify(content, null, 2)}\n`);
}

note(cli.dependencies);
await bundleProgram(join(stage, "dist/program"), (path) =>
  join(stage, path.replace(/^apps\/cli\//, "").replace(/^packages\//, "node_modules/@treadle/")),
);
// Node 24 comes the way it comes into a checkout: where npm has it for the machine.
const { optionalDependencies } = read(".");
write(".", {
  name: cli.name,
  version: cli.version,
  description:
    "Say what you want in one sentence; get a running web app that has been checked to work.",
  license: cli.license,
  type: cli.type,
  bin: cli.bin,
  os: [process.platform],
  cpu: [process.arch],
  engines: cli.engines,
  dependencies: Object.fromEntries(
    [...foreign, ...[...own].map((name) => [name, cli.version])].toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    ),
  ),
  optionalDependencies: Object.fromEntries(
    Object.entries(optionalDependencies).filter(([name]) => name.endsWith(platform)),
  ),
  bundleDependencies: [...own].toSorted(),
});

// Not `npm pack`, which leaves out every folder of the name node_modules that lies deeper: the guest's natives are in one.
mkdirSync(dirname(file), { recursive: true });
const same = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"];
const words = ["-czf", file, ...same, "-C", dirname(stage), "package"];
const { status, stderr } = spawnSync("tar", words, { encoding: "utf8" });
if (status !== 0) fail(`tar could not make ${file}: ${stderr}`);
const megabytes = readFileSync(file).length / 1e6;
process.stdout.write(
  `${megabytes.toFixed(1)} MB, ${readdirSync(join(stage, "node_modules/@treadle")).length} packages inside: ${file}\n`,
);

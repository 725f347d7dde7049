/** `npm run build`: every package to its `dist`, the sandbox's guest, and the page. */
import { cpSync, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { bundleProgram } from "./bundle-program.mjs";
import { generateClient, root, runNode } from "./prepare.mjs";

const step = (name, work) => {
  const started = performance.now();
  const status = typeof work === "function" ? work() : runNode(work);
  if (status !== 0) {
    process.stderr.write(`build: ${name} failed\n`);
    process.exit(status);
  }
  process.stdout.write(`  ${name} ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
};

step("types of the client", generateClient);
step("types and packages", ["node_modules/typescript/bin/tsc", "-b"]);

// What the model reads stands in prose files beside the code that sends it; the compiler leaves them behind.
for (const workspace of ["packages/agent", "packages/server", "packages/workspace", "apps/cli"]) {
  const source = join(root, workspace, "src");
  for (const entry of readdirSync(source, { recursive: true })) {
    const file = join(source, entry);
    if (!/\.(md|html|css)$/.test(entry) || !statSync(file).isFile()) continue;
    const target = join(root, workspace, "dist", relative(source, file));
    if (existsSync(dirname(target)) || entry.endsWith("SKILL.md")) cpSync(file, target);
  }
}

for (const own of ["packages/workspace/build-guest.mjs", "packages/server/build-probe.mjs"])
  if (existsSync(join(root, own))) step(own, [own]);
const bundling = performance.now();
// Half of the modules that a server loads before it prints its address are of these two.
const manyModules = ["kysely", "semver"];
await bundleProgram(join(root, "apps/cli/dist/program"), (path) => join(root, path), manyModules);
process.stdout.write(`  program ${((performance.now() - bundling) / 1000).toFixed(1)} s\n`);
step("page", ["node_modules/vite/bin/vite.js", "build", "apps/web", "--logLevel", "warn"]);

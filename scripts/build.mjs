/**
 * `npm run build`: every package to its `dist`, the sandbox's guest, and the page. With `--no-types`, as `npm start` and
 * `npm test` call it, what only a compiler reads is left out: the declarations, and the client's types.
 */
import { cpSync, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { bundleProgram } from "./bundle-program.mjs";
import { compilePackages } from "./compile-packages.mjs";
import { generateScripts, generateSources, root, startNode } from "./prepare.mjs";

/** Carries out a step, and says what it took. A step that fails ends the build. */
async function step(name, work) {
  const started = performance.now();
  const status = await work();
  if (status) {
    process.stderr.write(`build: ${name} failed\n`);
    process.exit(status);
  }
  process.stdout.write(`  ${name} ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

/** The page is made from sources, beside everything else. */
const page = step("page", () =>
  startNode(["node_modules/vite/bin/vite.js", "build", "apps/web", "--logLevel", "warn"]),
);
if (process.argv.includes("--no-types")) await step("scripts of pages", generateScripts);
else {
  await step("generated sources", generateSources);
  await step("types", () => startNode(["node_modules/typescript/bin/tsc", "-b"]));
}
await step("packages", () => {
  compilePackages();
  copyProse();
});
await step("guest", () => startNode(["packages/workspace/build-guest.mjs"]));
// Half of the modules that a server loads before it prints its address are of these two.
const manyModules = ["kysely", "semver"];
await step("program", () =>
  bundleProgram(join(root, "apps/cli/dist/program"), (path) => join(root, path), manyModules),
);
await page;

/** What the model reads stands in prose files beside the code that sends it; the compiler leaves them behind. */
function copyProse() {
  for (const workspace of ["packages/agent", "packages/server", "packages/workspace", "apps/cli"]) {
    const source = join(root, workspace, "src");
    for (const entry of readdirSync(source, { recursive: true })) {
      const file = join(source, entry);
      if (!/\.(md|html|css)$/.test(entry) || !statSync(file).isFile()) continue;
      const target = join(root, workspace, "dist", relative(source, file));
      if (existsSync(dirname(target)) || entry.endsWith("SKILL.md")) cpSync(file, target);
    }
  }
}

/** `npm run check`: types, lint with the order of packages and folders, format, dead code, licences. All are run, whichever fails. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { generateSources, root, runNode } from "./prepare.mjs";

const checks = [
  ["generated sources", generateSources],
  ["types", ["node_modules/typescript/bin/tsc", "-b"]],
  ["types of the page", ["node_modules/typescript/bin/tsc", "-p", "apps/web"]],
  ["types of the tests", ["node_modules/typescript/bin/tsc", "-p", "tsconfig.tests.json"]],
  ["lint", ["node_modules/oxlint/bin/oxlint", "--deny-warnings"]],
  ["format", ["node_modules/oxfmt/bin/oxfmt", "--check"]],
  ["dead code", ["node_modules/knip/bin/knip.js"]],
  ["licences and advisories", ["scripts/supply-chain.mjs"]],
];
// Promises that nobody waits for can only be found with the types at hand; what does that is a program for each system.
const finder = `node_modules/@oxlint-tsgolint/${process.platform}-${process.arch}`;
if (existsSync(join(root, finder)))
  checks.push([
    "promises",
    [
      "node_modules/oxlint/bin/oxlint",
      ..."--type-aware --allow=all packages apps e2e bench".split(" "),
      ...["floating", "misused"].map((kind) => `--deny=typescript/no-${kind}-promises`),
    ],
  ]);
else process.stdout.write(`— promises: NOT LOOKED AT (${finder} is not there)\n`);
const failed = checks.filter(([name, work]) => {
  process.stdout.write(`— ${name}\n`);
  return (typeof work === "function" ? work() : runNode(work)) !== 0;
});
if (failed.length > 0) {
  process.stderr.write(`check: ${failed.map(([name]) => name).join(", ")} failed\n`);
  process.exit(1);
}

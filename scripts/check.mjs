/** `npm run check`: types, lint with the order of packages and folders, format, dead code, licences. All are run, whichever fails. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, runNode } from "./prepare.mjs";

const checks = [
  ["types", ["node_modules/typescript/bin/tsc", "-b"]],
  ["types of the page", ["node_modules/typescript/bin/tsc", "-p", "apps/web"]],
  ["types of the tests", ["node_modules/typescript/bin/tsc", "-p", "tsconfig.tests.json"]],
  ["lint", ["node_modules/oxlint/bin/oxlint", "--deny-warnings"]],
  ["format", ["node_modules/oxfmt/bin/oxfmt", "--check"]],
  ["dead code", ["node_modules/knip/bin/knip.js"]],
  ["licences and advisories", ["scripts/supply-chain.mjs"]],
];
// Promises that nobody waits for can only be found with the types at hand, and what finds them is 22 MB.
if (existsSync(join(root, "node_modules/oxlint-tsgolint")))
  checks.push([
    "promises",
    "node_modules/oxlint/bin/oxlint --type-aware --allow=all --deny=typescript/no-floating-promises packages apps/cli".split(
      " ",
    ),
  ]);
else
  process.stdout.write(
    "— promises: NOT LOOKED AT (npm install --no-save oxlint-tsgolint@7.0.2007)\n",
  );
const failed = checks.filter(([name, args]) => {
  process.stdout.write(`— ${name}\n`);
  return runNode(args) !== 0;
});
if (failed.length > 0) {
  process.stderr.write(`check: ${failed.map(([name]) => name).join(", ")} failed\n`);
  process.exit(1);
}

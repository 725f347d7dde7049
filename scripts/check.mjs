/** `npm run check`: types, lint with the layer rule, format, dead code. All are run, whichever fails. */
import { runNode } from "./prepare.mjs";

const checks = [
  ["types", ["node_modules/typescript/bin/tsc", "-b"]],
  ["types of the page", ["node_modules/typescript/bin/tsc", "-p", "apps/web"]],
  ["types of the tests", ["node_modules/typescript/bin/tsc", "-p", "tsconfig.tests.json"]],
  ["lint", ["node_modules/oxlint/bin/oxlint", "--deny-warnings"]],
  ["format", ["node_modules/oxfmt/bin/oxfmt", "--check"]],
  ["dead code", ["node_modules/knip/bin/knip.js"]],
];
const failed = checks.filter(([name, args]) => {
  process.stdout.write(`— ${name}\n`);
  return runNode(args) !== 0;
});
if (failed.length > 0) {
  process.stderr.write(`check: ${failed.map(([name]) => name).join(", ")} failed\n`);
  process.exit(1);
}

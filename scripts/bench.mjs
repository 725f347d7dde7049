/**
 * `npm run bench [NAME …]`: re-measures the speeds that the README claims. Each bench compares with something measured in
 * the same run and prints ratios; nothing is asserted, since machines differ.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, root, runNode } from "./prepare.mjs";

ensureBuilt();
const wanted = process.argv.slice(2);
const names = readdirSync(join(root, "bench"))
  .filter((file) => file.endsWith(".bench.ts"))
  .map((file) => file.slice(0, -".bench.ts".length))
  .filter((name) => wanted.length === 0 || wanted.includes(name));
if (names.length === 0) {
  process.stderr.write(`There is no bench of that name: ${wanted.join(", ")}\n`);
  process.exit(2);
}
let failed = 0;
for (const name of names) {
  process.stdout.write(`\n== ${name}\n`);
  if (runNode([join(root, "bench", `${name}.bench.ts`)]) !== 0) failed++;
}
process.exit(failed === 0 ? 0 : 1);

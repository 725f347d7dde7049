/**
 * `npm run soak [MINUTES]`: the long runs, one after the other; each prints the seeds it used. Default 10 minutes each.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, root, runNode } from "./prepare.mjs";

ensureBuilt();
const minutes = process.argv[2] ?? "10";
let failed = 0;
const folders = [
  "e2e",
  ...readdirSync(join(root, "packages")).map((name) => join("packages", name)),
];
for (const folder of folders) {
  let files = [];
  try {
    files = readdirSync(join(root, folder, "soak"));
  } catch {
    // Most packages have nothing that needs a long run.
  }
  for (const file of files.filter((name) => name.endsWith(".ts"))) {
    process.stdout.write(`\n== ${folder}/${file}\n`);
    if (runNode([join(root, folder, "soak", file), minutes]) !== 0) failed++;
  }
}
process.exit(failed === 0 ? 0 : 1);

/**
 * `npm run soak [MINUTES]`: the long runs, one after the other; each prints the seeds it used. Default 10 minutes each.
 * `npm run soak NAME [MINUTES]` runs the one of that name. The small model is only run by its name, since it is fetched
 * and compiled first, and so is the cluster, which has to be there.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, root, runNode } from "./prepare.mjs";

ensureBuilt();
const [first = "10", second = "10"] = process.argv.slice(2);
const only = /^\d/.test(first) ? undefined : first;
const minutes = only === undefined ? first : second;
let failed = 0;
const within = (folder) => readdirSync(join(root, folder)).map((name) => join(folder, name));
const folders = ["e2e", ...within("apps"), ...within("packages")];
for (const folder of folders) {
  let files = [];
  try {
    files = readdirSync(join(root, folder, "soak"));
  } catch {
    // Most of them have nothing that needs a long run.
  }
  const isWanted = (name) =>
    only === undefined ? !["model.ts", "cluster.ts"].includes(name) : name === `${only}.ts`;
  for (const file of files.filter((name) => name.endsWith(".ts") && isWanted(name))) {
    process.stdout.write(`\n== ${folder}/${file}\n`);
    if (runNode([join(root, folder, "soak", file), minutes]) !== 0) failed++;
  }
}
process.exit(failed === 0 ? 0 : 1);

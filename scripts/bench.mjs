/**
 * `npm run bench [NAME …] [-- OPTIONS]`: re-measures the speeds that the README claims. Each bench compares with something
 * measured in the same run and prints ratios; nothing is asserted, since machines differ. With `BENCH_BEFORE`, the path of
 * a built checkout of another version, both are run by turns, `BENCH_ROUNDS` times each (default 3), and compared.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { benchByTurns } from "./bench-by-turns.mjs";
import { ensureBuilt, root, runNode } from "./prepare.mjs";

ensureBuilt();
const words = process.argv.slice(2);
const first = words.findIndex((word) => word.startsWith("-"));
const requested = words.slice(0, first === -1 ? undefined : first);
const options = first === -1 ? [] : words.slice(first);
const before = process.env.BENCH_BEFORE;
const rounds = Number(process.env.BENCH_ROUNDS) || 3;
/** Compares with the other checkout directly, row by row. */
const COMPARES_ITSELF = "protocol";
const names = readdirSync(join(root, "bench"))
  .filter((file) => file.endsWith(".bench.ts"))
  .map((file) => file.slice(0, -".bench.ts".length))
  .filter((name) => requested.length === 0 || requested.includes(name));
if (names.length === 0) {
  process.stderr.write(`There is no bench of that name: ${requested.join(", ")}\n`);
  process.exit(2);
}
let failed = 0;
for (const name of names) {
  process.stdout.write(`\n== ${name}\n`);
  const isWell =
    before && name !== COMPARES_ITSELF
      ? benchByTurns(name, before, rounds, options)
      : runNode([join(root, "bench", `${name}.bench.ts`), ...options]) === 0;
  if (!isWell) failed++;
}
process.exit(failed === 0 ? 0 : 1);

/**
 * Fuzzes every parser, reader and applier: `node packages/dialects/soak/fuzz.ts [MINUTES] [FIRST_SEED]`, ten minutes by
 * default. Prints the seeds it used and each one that failed; a failing seed becomes a named test in
 * `src/fuzz/fuzz.test.ts`.
 */
import { CHECKS } from "../src/fuzz/checks.test-support.ts";

const minutes = Number(process.argv[2] ?? 10);
const first = Number(process.argv[3] ?? Date.now() % 1_000_000_000);
const end = performance.now() + minutes * 60_000;
const failures = new Map<string, string[]>();
let seed = first;
while (performance.now() < end) {
  for (let round = 0; round < 200; round++, seed++) {
    for (const [name, check] of Object.entries(CHECKS)) {
      const problem = run(check, seed);
      if (problem === undefined) continue;
      const known = failures.get(name) ?? [];
      failures.set(name, known);
      known.push(`${seed}: ${problem}`);
      if (known.length <= 5) console.log(`${name} seed ${seed}: ${problem}`);
    }
  }
}
console.log(`seeds ${first} to ${seed - 1}, ${Object.keys(CHECKS).length} checks each`);
for (const [name, seeds] of failures) console.log(`${name}: ${seeds.length} failing seeds`);
process.exit(failures.size === 0 ? 0 : 1);

function run(check: (seed: number) => string | undefined, at: number): string | undefined {
  try {
    return check(at);
  } catch (error) {
    return `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

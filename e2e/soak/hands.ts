/**
 * Two tabs, an editor, git, the model and a synchronized folder all change one file, in orders that
 * seeds choose: `node e2e/soak/hands.ts [MINUTES] [FIRST_SEED]`. Needs a build. Prints what was
 * lost, and with which seed.
 */
import { openHands } from "../support/hands.ts";

const minutes = Number(process.argv[2] ?? 10);
const first = Number(process.argv[3] ?? 1);
const end = performance.now() + minutes * 60_000;
const ACTS = 40;
/** Seeds per data folder: a longer log would only make them slower. */
const TOGETHER = 5;

const print = (text: string) => process.stdout.write(`${text}\n`);
let failed = 0;
let seed = first;
while (performance.now() < end) {
  // With a folder that is kept in step, and without one, where git does more.
  const session = await openHands({ copy: (seed - first) % (2 * TOGETHER) >= TOGETHER });
  for (let n = 0; n < TOGETHER && performance.now() < end; n++, seed++) {
    const problems = await session.work(seed, ACTS).catch((error: Error) => [error.stack ?? error.message]); // prettier-ignore
    if (problems.length === 0) continue;
    failed++;
    print(`seed ${seed}: ${problems.join("; ")}`);
  }
  await session.close();
}
print(
  `${seed - first} orders of ${ACTS} acts a hand, seeds ${first} to ${seed - 1}, ${failed} with a loss`,
);
process.exit(failed === 0 ? 0 : 1);

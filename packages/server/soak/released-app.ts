/**
 * Drives the lifecycle of a published app at random: `node packages/server/soak/released-app.ts [MINUTES] [FIRST_SEED]`, ten
 * minutes by default. Prints its seeds and each interleaving that broke an invariant.
 */
import { soakInterleavings } from "@treadle/protocol/testing";
import { appWorld } from "../src/publish/app-world.test-support.ts";

const [minutes = "10", firstSeed] = process.argv.slice(2);
const isWhole = soakInterleavings("ReleasedApp", appWorld, {
  minutes: Number(minutes),
  ...(firstSeed === undefined ? {} : { firstSeed: Number(firstSeed) }),
  print: (line) => process.stdout.write(`${line}\n`),
});
process.exit(isWhole ? 0 : 1);

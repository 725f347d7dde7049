/**
 * Drives the server's state machines through random interleavings: `node packages/server/soak/lives.ts [MINUTES]
 * [FIRST_SEED]`, ten minutes of each by default. Prints the seeds it used and each one that failed, with the shortest
 * interleaving that fails.
 */
import { soakInterleavings } from "@treadle/protocol/testing";
import { holderWorld } from "@treadle/protocol/testing/holder";
import { deviceWorld } from "../../git/src/sign-in/device-lifecycle.test-support.ts";
import { deliveryWorld } from "../../notifications/src/delivery-lifecycle.test-support.ts";
import { appWorld } from "../../publish/src/publications/app-world.test-support.ts";
import { attemptWorld } from "../../attempts/src/attempt-lifecycle.test-support.ts";
import { lineWorld } from "../src/runs/run-lifecycle.test-support.ts";

const minutes = Number(process.argv[2] ?? 10);
const firstSeed = process.argv[3] === undefined ? undefined : Number(process.argv[3]);
const options = { minutes, firstSeed, print: (line: string) => console.log(line) };
const held = [
  soakInterleavings("workspace holder", holderWorld, options),
  soakInterleavings("run queue", lineWorld, options),
  soakInterleavings("attempt", attemptWorld, options),
  soakInterleavings("published app", appWorld, options),
  soakInterleavings("sign-in by a device code", deviceWorld, options),
  soakInterleavings("delivery of a notification", deliveryWorld, options),
];
process.exit(held.every(Boolean) ? 0 : 1);

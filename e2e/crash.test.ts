import { afterAll, beforeAll, expect, it } from "vitest";
import { openCrashes, type Crashes } from "./support/crash.ts";

let crashes: Crashes;
beforeAll(async () => {
  crashes = await openCrashes();
});
afterAll(() => crashes.close());

/**
 * While the project is created, while the first file streams, while a command runs, while the
 * server starts. More in `npm run soak crash`.
 */
const MOMENTS = [40, 700, 1_900];

it("F7 F8 a server that is killed during a build loses nothing that it acknowledged", async () => {
  for (const ms of MOMENTS) expect(await crashes.kill(ms), `after ${ms} ms`).toEqual([]);
});

import { expect, it } from "vitest";
import { fetchNode, NODES, startOutside } from "./outside.test-support.ts";

/** Of all templates and Nodes these alone are quick: `npm run soak templates` starts every one under each. */
it.runIf(process.platform === "linux")(
  "a server of a template starts outside Treadle under the oldest Node that Treadle itself starts on",
  async () => {
    expect(await startOutside("hono", await fetchNode(NODES[20]))).toBeUndefined();
  },
  15 * 60_000,
);

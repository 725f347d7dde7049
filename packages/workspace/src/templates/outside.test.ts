import { expect, it } from "vitest";
import { fetchNode, NODES, startOutside } from "./outside.test-support.ts";

/**
 * Only this combination of template and Node is quick: `npm run soak templates` starts every
 * template with each Node.
 */
it.runIf(process.platform === "linux")(
  "a server of a template starts outside Treadle with the oldest Node that Treadle itself supports",
  async () => {
    expect(await startOutside("hono", await fetchNode(NODES[20]))).toBeUndefined();
  },
  15 * 60_000,
);

import type { Evidence } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import { createFakeClock, type FakeClock } from "../../testing/fake-clock.test-support.ts";
import {
  createFakeWorkspace,
  type FakeWorkspace,
} from "../../testing/fake-workspace.test-support.ts";
import { observeLasting } from "./still-standing.ts";
import { createObservation } from "../observation.ts";
import { watchServer } from "./watch-server.ts";

const BY_THE_CLOCK = { "server.js": "setTimeout(() => nothing.here(), 5_000)" };

/** Watches a server that has just come up; `meanwhile` is called at each tick of the clock. */
async function watched(
  files: Record<string, string>,
  options: {
    script?: string;
    /** How much longer than requested each sleep takes. */
    late?: number;
    meanwhile?: (workspace: FakeWorkspace, ms: number) => void;
  } = {},
) {
  const { script = "node server.js", late = 0, meanwhile } = options;
  const workspace = createFakeWorkspace({ files, serve: () => (_, response) => response.end() });
  const clock: FakeClock = createFakeClock();
  const began = clock.now();
  const { ports } = await workspace.start(script);
  const watch = watchServer(workspace);
  watch.nowServes(ports);
  const evidence = { revision: "1", parts: {}, pages: [] } as unknown as Evidence;
  const look = createObservation({
    workspace,
    clock: {
      now: clock.now,
      async sleep(ms, signal) {
        await clock.sleep(ms + late, signal);
        meanwhile?.(workspace, clock.now() - began);
      },
    },
    signal: new AbortController().signal,
    refused: new Set(),
    unreached: new Set(),
    evidence,
    onEvidence: () => undefined,
  });
  const view = { port: ports[0]!, path: "/" };
  await observeLasting({ kind: "api", view, script }, () => watch.gone(), look);
  watch.close();
  return { serve: evidence.parts.serve, ms: clock.now() - began };
}

describe("a server that was fully observed", () => {
  it("is watched for six and a half seconds if its sources use timers", async () => {
    expect(await watched(BY_THE_CLOCK)).toEqual({ serve: undefined, ms: 6_500 });
  });

  it("is not watched if they do not, or if it is only a development server", async () => {
    expect((await watched({ "server.js": "listen()" })).ms).toBe(0);
    expect((await watched(BY_THE_CLOCK, { script: "vite" })).ms).toBe(0);
  });

  it("fails if it exits meanwhile, with its exit code, and the wait ends", async () => {
    const { serve, ms } = await watched(BY_THE_CLOCK, {
      meanwhile: (workspace, passed) => passed === 5_000 && workspace.crashServer(1),
    });
    expect(serve).toMatchObject({
      state: "failed",
      summary: "node server.js crashed with 1 soon after it had come up",
    });
    expect(ms).toBe(5_000);
  });

  it("is polled as often on a busy machine on which each tick is late", async () => {
    const { serve } = await watched(BY_THE_CLOCK, {
      late: 100,
      meanwhile: (workspace, passed) => passed === 9_000 && workspace.crashServer(1),
    });
    expect(serve?.state).toBe("failed");
  });

  it("fails if a watcher that keeps running reports that its program crashed", async () => {
    const { serve } = await watched(BY_THE_CLOCK, {
      script: "nodemon server.js",
      meanwhile: (workspace, passed) =>
        passed === 5_000 &&
        workspace.print("[nodemon] app crashed - waiting for file changes before starting...\n"),
    });
    expect(serve).toMatchObject({
      state: "failed",
      summary: expect.stringContaining("a part of the server crashed"),
    });
  });
});

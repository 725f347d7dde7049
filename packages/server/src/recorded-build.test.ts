import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gatherEvidence, runTurn } from "@treadle/agent";
import type { LogEvent } from "@treadle/protocol";
import { openStore } from "@treadle/store";
import { expect, it } from "vitest";
import { assemble } from "./assemble.ts";
import { FakeDriver } from "../../workspace/src/testing/fake-workspace.test-support.ts";
import { createDemoPlayer, openModelSettings } from "@treadle/model-settings";
import { systemClock } from "./common/system-clock.ts";

it("plays a recorded build through the provider's code and the loop into files and log", async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "treadle-recorded-"));
  const store = await openStore({ directory: dataDirectory });
  const driver = new FakeDriver();
  const demos = createDemoPlayer({});
  const models = await openModelSettings({
    store,
    env: {},
    sharedDirectory: undefined,
    demos,
    now: () => Date.now(),
  });
  const treadle = await assemble(
    { dataDirectory, env: {} },
    {
      store,
      driver,
      models,
      runTurn,
      gatherEvidence,
      clock: systemClock,
      closers: [() => demos.close()],
    },
  );
  try {
    const { id } = await treadle.projects.create({ demo: "todo" });
    const ended = new Promise<LogEvent>((resolve) => {
      treadle.projects.follow(id, 0, (entries) => {
        // The fake workspace runs nothing that could be looked at.
        if (entries.some(({ event }) => event.type === "evidence")) void treadle.projects.stop(id);
        const end = entries.find(({ event }) => event.type === "run-end");
        if (end) resolve(end.event);
      });
    });
    await treadle.projects.send(id, { text: models.demoPrompt("todo") });
    await ended;
    await treadle.projects.release(id);
    const events = (await store.log.read(id, 0)).map(({ event }) => event);
    const written = events.flatMap((event) => (event.type === "files" ? event.changes : []));
    expect(written.some(({ path, by }) => path.startsWith("src/") && by === "model")).toBe(true);
    expect(written.filter(({ by }) => by === "person")).toEqual([]);
    const deltas = events.filter((event) => event.type === "call-delta");
    const streams = deltas.map(({ call, field }) => `${call} ${field}`);
    expect(streams).toEqual([...new Set(streams)]);
    expect(events.filter(({ type }) => type === "run-end")).toHaveLength(1);
    expect((await store.messages.list(id)).map(({ role }) => role)).toEqual(
      expect.arrayContaining(["user", "assistant"]),
    );
  } finally {
    await treadle.close();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
});

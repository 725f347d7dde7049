import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { openStore } from "@treadle/store";
import { openTelemetry } from "@treadle/telemetry";
import { expect, it } from "vitest";
import { FakeDriver } from "../../workspace/src/testing/fake-workspace.test-support.ts";
import { lostMethods } from "../../workspace/src/testing/wrapped-driver.test-support.ts";
import { observeDriver, observeRequests, observeStore } from "./observe.ts";

async function startTelemetry() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const settings = { metrics: { host: "127.0.0.1", port }, traces: undefined };
  const telemetry = (await openTelemetry({ settings, version: "1", onNotice: () => {} }))!;
  const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return { telemetry, read };
}

it("measures sandboxes and the log, and leaves the driver and the store as they were", async () => {
  const directory = mkdtempSync(join(tmpdir(), "treadle-observe-"));
  const { telemetry, read } = await startTelemetry();
  const store = observeStore(await openStore({ directory }), telemetry);
  // As other drivers take it over.
  const driver = { ...observeDriver(new FakeDriver(), telemetry) };
  try {
    await store.projects.create({
      id: "p1",
      name: "One",
      createdAt: 1,
      updatedAt: 1,
      capability: "a".repeat(26),
    });
    store.log.append("p1", {
      type: "run-start",
      run: "r1",
      message: "m1",
      model: "openai:gpt",
      dialect: "native",
    });
    await store.log.settled("p1");
    expect(await store.log.read("p1", 0)).toHaveLength(1);
    expect(await read()).toMatch(/^treadle_open_runs 1$/m);

    await driver.open({ project: "p1", directory, stateDirectory: directory });
    expect(await read()).toMatch(/_count\{kind="sandbox",name="\w+",outcome="ok"\} 1$/m);
    expect((await driver.probe()).ok).toBe(true);
    expect(await lostMethods((one) => observeDriver(one, telemetry))).toEqual([]);
  } finally {
    await driver.close();
    await store.close();
    await telemetry.close();
    rmSync(directory, { recursive: true });
  }
});

it("is the same driver and listener where nothing is measured", () => {
  const driver = new FakeDriver();
  expect(observeDriver(driver, undefined)).toBe(driver);
  expect(observeRequests(undefined, undefined)).toBeUndefined();
});

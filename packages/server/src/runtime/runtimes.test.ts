import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "@treadle/store";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FakeDriver } from "../fake-workspace.test-support.ts";
import { openRuntimes, UNUSED_MS, type Runtimes } from "./runtimes.ts";

let directory: string;
let store: Store;
let runtimes: Runtimes;
let now = 1_000_000;
const driver = new FakeDriver();

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "treadle-runtimes-"));
  store = await openStore({ directory });
  await store.projects.create({ id: "p", name: "P", createdAt: 1, updatedAt: 1, capability: "k" });
  runtimes = await openRuntimes({
    store,
    driver,
    models: undefined as never,
    runTurn: () => Promise.reject(new Error("not here")),
    gatherEvidence: () => Promise.reject(new Error("not here")),
    lookerOf: async () => undefined,
    clock: { now: () => now, sleep: () => Promise.resolve() },
    dataDirectory: directory,
    onNotice: () => {},
  });
});
afterEach(async () => {
  await runtimes.close();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

it("gives back the sandbox of a project that nobody looks at, and not sooner", async () => {
  const runtime = await runtimes.of("p");
  await runtime.workspace();
  const opened = driver.opened.get("p");
  now += UNUSED_MS;
  await runtimes.sweep();
  expect(opened?.stopped).toBe(false);
  const leave = runtime.onClose(() => {});
  now += 1;
  await runtimes.sweep();
  expect(opened?.stopped).toBe(false);
  leave();
  await runtimes.sweep();
  expect(opened?.stopped).toBe(true);
  expect(runtimes.known("p")).toBeUndefined();
  await (await runtimes.of("p")).workspace();
  expect(driver.opened.get("p")?.stopped).toBe(false);
});

it("two who ask at once get the same runtime, and a removed project's preview is gone", async () => {
  const [first, second] = await Promise.all([runtimes.of("p"), runtimes.of("p")]);
  expect(first).toBe(second);
  expect(runtimes.projectOf("k")).toBe("p");
  await runtimes.remove("p");
  expect(runtimes.projectOf("k")).toBeUndefined();
  await expect(runtimes.of("p")).rejects.toMatchObject({ status: 404 });
});

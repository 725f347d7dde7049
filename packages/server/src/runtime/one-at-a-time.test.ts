import { soleOwnership } from "@treadle/cluster";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "@treadle/store";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FakeDriver } from "../../../workspace/src/testing/fake-workspace.test-support.ts";
import type { ProjectRuntime } from "./types.ts";
import { openRuntimes, type Runtimes } from "./runtimes.ts";

let directory: string;
let store: Store;
let runtimes: Runtimes;
let driver: FakeDriver;
let notices: string[];
/** Events in the order in which they happened. */
let order: string[];
/** The implementation of a look. */
let gather: () => Promise<never>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "treadle-one-"));
  driver = new FakeDriver();
  notices = [];
  order = [];
  store = await openStore({ directory });
  await store.projects.create({ id: "p", name: "P", createdAt: 1, updatedAt: 1, capability: "k" });
  runtimes = await openRuntimes({
    store,
    ownership: soleOwnership(store),
    driver,
    models: {
      resolve: async () => ({ id: "m", languageModel: {} }),
    } as never,
    runTurn: async ({ run }, { log }) => {
      order.push("run");
      const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
      const end = { outcome: "done" as const, summary: "", revision: "r", steps: 0, usage, ms: 0 };
      log.append({ type: "run-start", run, message: "m", model: "m", dialect: "native" } as never);
      log.append({ type: "run-end", run, ...end });
      return end;
    },
    gatherEvidence: () => gather(),
    browserOf: async () => undefined,
    clock: { now: () => 1, sleep: () => Promise.resolve() },
    dataDirectory: directory,
    verdicts: "quick",
    approvalMode: "auto",
    idleMs: 60_000,
    onNotice: (text) => void notices.push(text),
  });
});
afterEach(async () => {
  await runtimes.close();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const message = { text: "hello", model: "m" };

/**
 * Sends a message whose run would have begun by now, if nothing delayed it; its start is recorded
 * in the order.
 */
async function sendAndBegin(runtime: ProjectRuntime): Promise<void> {
  const list = store.messages.list.bind(store.messages);
  store.messages.list = (id) => {
    order.push("begun");
    return list(id);
  };
  await runtime.send(message);
  const isKept = async () => (await store.projects.get("p"))?.queue?.[0]?.started;
  await expect.poll(isKept).toBe(true);
}

it("a message during a restore is run after it", async () => {
  const runtime = await runtimes.get("p");
  const workspace = await runtime.workspace();
  const checkpoint = await workspace.checkpoint("one");
  const gate = Promise.withResolvers<void>();
  const restore = workspace.restore.bind(workspace);
  workspace.restore = async (name) => {
    order.push("restoring");
    await gate.promise;
    const record = await restore(name);
    order.push("restored");
    return record;
  };
  const back = runtime.restore({ checkpoint: checkpoint.checkpoint });
  await expect.poll(() => order).toEqual(["restoring"]);
  await sendAndBegin(runtime);
  await expect(runtime.restore({ checkpoint: checkpoint.checkpoint })).rejects.toMatchObject({
    code: "working",
  });
  gate.resolve();
  await back;
  await runtime.idle();
  expect(order).toEqual(["restoring", "restored", "begun", "run"]);
});

it("a message during a look ends it, and is run after that", async () => {
  const runtime = await runtimes.get("p");
  const gate = Promise.withResolvers<void>();
  gather = async () => {
    order.push("looking");
    await gate.promise;
    order.push("looked");
    throw new Error("ended");
  };
  runtime.check();
  await expect.poll(() => order).toEqual(["looking"]);
  await sendAndBegin(runtime);
  expect(() => runtime.check()).toThrow("being worked on");
  gate.resolve();
  await runtime.idle();
  expect(order).toEqual(["looking", "looked", "begun", "run"]);
  expect(notices).toEqual([]);
});

it("closing waits for a restore, so that its sandbox does not end halfway", async () => {
  const runtime = await runtimes.get("p");
  const workspace = await runtime.workspace();
  const checkpoint = await workspace.checkpoint("one");
  const gate = Promise.withResolvers<void>();
  const restore = workspace.restore.bind(workspace);
  workspace.restore = async (name) => {
    order.push("restoring");
    await gate.promise;
    order.push("restored");
    return restore(name);
  };
  const stop = workspace.stop.bind(workspace);
  workspace.stop = async () => {
    order.push("stopped");
    await stop();
  };
  const back = runtime.restore({ checkpoint: checkpoint.checkpoint });
  await expect.poll(() => order).toEqual(["restoring"]);
  const closed = runtime.close();
  gate.resolve();
  await Promise.all([back, closed]);
  expect(order).toEqual(["restoring", "restored", "stopped"]);
});

it("runs a message although its start cannot be stored, and removes it from the queue", async () => {
  const runtime = await runtimes.get("p");
  const update = store.projects.update.bind(store.projects);
  store.projects.update = async (id, change) => {
    if (change.queue?.some(({ started }) => started)) throw new Error("the disk is full");
    return update(id, change);
  };
  await runtime.send(message);
  await runtime.idle();
  expect(order).toEqual(["run"]);
  expect(runtime.isWorking()).toBe(false);
  expect(notices.join()).toContain("the disk is full");
});

it("a queue that cannot be stored continues, and reports that", async () => {
  const runtime = await runtimes.get("p");
  const update = store.projects.update.bind(store.projects);
  let full = false;
  store.projects.update = async (id, change) => {
    if (full && "queue" in change) throw new Error("the disk is full");
    return update(id, change);
  };
  const first = runtime.send(message);
  await first;
  full = true;
  await runtime.idle();
  full = false;
  await runtime.send(message);
  await runtime.idle();
  expect(order).toEqual(["run", "run"]);
  expect(runtime.isWorking()).toBe(false);
  expect(notices.join()).toContain("the disk is full");
});

it("does not open a project that is being released before it is closed, however often that is requested", async () => {
  const runtime = await runtimes.get("p");
  const workspace = driver.opened.get("p") ?? (await runtime.workspace(), driver.opened.get("p")!);
  const gate = Promise.withResolvers<void>();
  const stop = workspace.stop.bind(workspace);
  workspace.stop = async () => {
    await gate.promise;
    await stop();
    order.push("stopped");
  };
  const first = runtime.holder.release();
  const second = runtime.holder.release().then(() => order.push("released"));
  const opened = runtime.holder.open().then(() => order.push("opened"));
  gate.resolve();
  await Promise.all([first, second, opened]);
  expect(order[0]).toBe("stopped");
});

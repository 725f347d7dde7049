import { soleOwnership } from "@treadle/cluster";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "@treadle/store";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FakeDriver } from "../../../workspace/src/testing/fake-workspace.test-support.ts";
import { withRoom } from "@treadle/workspace";
import { openRuntimes, UNDO_MS, type Runtimes } from "./runtimes.ts";

let directory: string;
let store: Store;
let runtimes: Runtimes;
let now = 1_000_000;
const IDLE_MS = 1000;
const driver = new FakeDriver();

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "treadle-runtimes-"));
  store = await openStore({ directory });
  await store.projects.create({ id: "p", name: "P", createdAt: 1, updatedAt: 1, capability: "k" });
  runtimes = await openRuntimes({
    store,
    ownership: soleOwnership(store),
    driver: withRoom(
      driver,
      () => now,
      (besides) => runtimes.awake(besides),
    ),
    models: undefined as never,
    runTurn: () => Promise.reject(new Error("not here")),
    gatherEvidence: () => Promise.reject(new Error("not here")),
    browserOf: async () => undefined,
    clock: { now: () => now, sleep: () => Promise.resolve() },
    dataDirectory: directory,
    verdicts: "quick",
    approvalMode: "auto",
    idleMs: IDLE_MS,
    onNotice: () => {},
  });
});
afterEach(async () => {
  await runtimes.close();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const servers = async () =>
  (await store.log.read("p", 0)).flatMap(({ event }) =>
    event.type === "server" ? [[event.server.state, event.server.asleep ?? false]] : [],
  );

it("closes the sandbox of an unused project, and not sooner", async () => {
  const runtime = await runtimes.get("p");
  await runtime.workspace();
  const opened = driver.opened.get("p");
  const uses: [string, () => () => void][] = [
    ["a page", () => runtime.onClose(() => {})],
    ["its preview", () => runtime.watch()],
  ];
  now += IDLE_MS;
  await runtimes.sweep();
  expect(opened?.stopped).toBe(false);
  for (const [what, use] of uses) {
    const leave = use();
    now += IDLE_MS + 1;
    await runtimes.sweep();
    expect(opened?.stopped, what).toBe(false);
    leave();
  }
  now += IDLE_MS + 1;
  const { terminal, detach } = await runtime.terminals.attach(
    "1",
    { columns: 80, rows: 24 },
    { person: undefined, onUnshared() {} },
  );
  await runtimes.sweep();
  expect(opened?.stopped, "a terminal that is looked at").toBe(false);
  detach();
  terminal.write("make\n");
  await runtimes.sweep();
  expect(opened?.stopped, "something was typed").toBe(false);
  now += IDLE_MS;
  opened?.terminals[0]?.print("done\r\n");
  now += IDLE_MS;
  await runtimes.sweep();
  expect(opened?.stopped, "something was printed").toBe(false);
  now += 1;
  await runtimes.sweep();
  expect(opened?.stopped).toBe(true);
  expect(runtime.isAwake()).toBe(false);
  expect(await runtime.terminals.list()).toEqual(["1"]);
  await runtime.workspace();
  expect(driver.opened.get("p")?.stopped).toBe(false);
});

it("starts a sleeping server once at the next look, and logs it", async () => {
  const runtime = await runtimes.get("p");
  await (await runtime.workspace()).start("npm run dev");
  await expect.poll(servers).toEqual([["up", false]]);
  await runtime.sleep();
  await store.log.settled();
  expect((await servers()).at(-1)).toEqual(["stopped", true]);
  await Promise.all([runtime.wake(), runtime.wake()]);
  expect(driver.opened.get("p")?.started).toEqual(["npm run dev"]);
  await expect.poll(servers).toEqual([
    ["up", false],
    ["stopped", true],
    ["starting", true],
    ["up", false],
  ]);
  await runtime.wake();
  expect(driver.opened.get("p")?.started).toEqual(["npm run dev"]);
});

it("does not start a server that the person stopped", async () => {
  const runtime = await runtimes.get("p");
  const workspace = await runtime.workspace();
  await workspace.start("npm run dev");
  await workspace.stopServer();
  await expect.poll(async () => (await servers()).at(-1)).toEqual(["stopped", false]);
  await runtime.sleep();
  await runtime.wake();
  expect(runtime.isAwake()).toBe(false);
});

it("reports why a sleeping server could not be started", async () => {
  const runtime = await runtimes.get("p");
  await (await runtime.workspace()).start("npm run dev");
  await expect.poll(servers).toHaveLength(1);
  await runtime.sleep();
  driver.failure = new Error("there is no room for a sandbox");
  await runtime.wake();
  driver.failure = undefined;
  expect(runtime.view.server).toMatchObject({
    state: "crashed",
    tail: "there is no room for a sandbox",
  });
});

it("F8 a server that ran when Treadle was killed counts as sleeping, and is not forgotten", async () => {
  const up = { state: "up" as const, command: "npm run dev", ports: [5173], restarts: 0 };
  store.log.append("p", { type: "server", server: up });
  await store.log.settled();
  const runtime = await runtimes.get("p");
  expect(runtime.view.server).toMatchObject({ state: "stopped", asleep: true, ports: [] });
  await runtime.wake();
  expect(driver.opened.get("p")?.started).toEqual(["npm run dev"]);
});

it("forgets what has slept long, and opens a project that is being closed only afterwards", async () => {
  const runtime = await runtimes.get("p");
  await runtime.workspace();
  const first = driver.opened.get("p");
  const { stop } = first!;
  const asked = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  first!.stop = async () => {
    asked.resolve();
    await letGo.promise;
    await stop.call(first);
  };
  const asleep = runtime.sleep();
  const again = runtime.workspace();
  await asked.promise;
  expect(driver.opened.get("p")).toBe(first);
  letGo.resolve();
  await asleep;
  await again;
  expect(driver.opened.get("p")).not.toBe(first);
  now += 2 * IDLE_MS + 1;
  // First its sandbox is closed, and at the next sweep the rest.
  await runtimes.sweep();
  expect(runtimes.known("p")).toBe(runtime);
  await runtimes.sweep();
  expect(runtimes.known("p")).toBeUndefined();
});

/** Starts closing the project's runtime, which lasts until the returned function is called. */
async function slowEnd(): Promise<{ ending: Promise<void>; letGo(): void }> {
  const runtime = await runtimes.get("p");
  await runtime.workspace();
  const opened = driver.opened.get("p")!;
  const { stop } = opened;
  const asked = Promise.withResolvers<void>();
  const { promise, resolve } = Promise.withResolvers<void>();
  opened.stop = async () => {
    asked.resolve();
    await promise;
    await stop.call(opened);
  };
  const ending = runtimes.release("p");
  await asked.promise;
  return { ending, letGo: resolve };
}

it("opens nothing for a caller that waited for a project's end while Treadle began to stop", async () => {
  const { ending, letGo } = await slowEnd();
  const again = runtimes.get("p").catch((error: unknown) => error);
  const closing = runtimes.close();
  letGo();
  await Promise.all([ending, closing]);
  expect(await again).toMatchObject({ status: 503 });
  expect(runtimes.known("p")).toBeUndefined();
});

it("A71 opens nothing for a caller that waited for a project's end while it was removed", async () => {
  const { ending, letGo } = await slowEnd();
  const again = runtimes.get("p").catch((error: unknown) => error);
  const removing = runtimes.remove("p");
  // Earlier requests to the store are answered first.
  await store.projects.get("p");
  letGo();
  await Promise.all([ending, removing]);
  expect(await again).toMatchObject({ status: 404 });
  expect(runtimes.known("p")).toBeUndefined();
});

it("closes again what could not be closed, before it is opened again", async () => {
  const runtime = await runtimes.get("p");
  await runtime.workspace();
  const opened = driver.opened.get("p")!;
  const { stop } = opened;
  opened.stop = () => Promise.reject(new Error("it hangs"));
  await expect(runtimes.release("p")).rejects.toThrow("it hangs");
  await expect(runtimes.get("p")).rejects.toThrow("it hangs");
  opened.stop = stop;
  const next = await runtimes.get("p");
  expect(next).not.toBe(runtime);
  expect(opened.stopped).toBe(true);
});

it("returns the same runtime to two concurrent callers, and removes a removed project's preview", async () => {
  const [first, second] = await Promise.all([runtimes.get("p"), runtimes.get("p")]);
  expect(first).toBe(second);
  expect(runtimes.projectOf("k")).toBe("p");
  await runtimes.remove("p");
  expect(runtimes.projectOf("k")).toBeUndefined();
  await expect(runtimes.get("p")).rejects.toMatchObject({ status: 404 });
});

it("a project beyond the limit replaces the least recently used one, and none that is in use", async () => {
  for (const id of ["a", "b", "c"])
    await store.projects.create({ id, name: id, createdAt: 1, updatedAt: 1, capability: id });
  driver.most = 2;
  try {
    const a = await runtimes.get("a");
    await a.workspace();
    now += 20_000;
    const b = await runtimes.get("b");
    await b.workspace();
    const leave = a.watch();
    const c = await runtimes.get("c");
    // One is being viewed, the other was used just now.
    await expect(c.workspace()).rejects.toMatchObject({ code: "full" });
    now += 20_000;
    await c.workspace();
    expect([a, b, c].map((runtime) => runtime.isAwake())).toEqual([true, false, true]);
    now += 1_000;
    leave();
    now += 20_000;
    await b.workspace();
    expect([a, b, c].map((runtime) => runtime.isAwake())).toEqual([true, true, false]);
  } finally {
    driver.most = Infinity;
  }
});

it("a deleted project cannot be found, and is unchanged after it is restored", async () => {
  const runtime = await runtimes.get("p");
  await runtime.workspace();
  runtime.append({ type: "project-renamed", name: "Q" });
  await runtimes.delete("p");
  await expect(runtimes.get("p")).rejects.toMatchObject({ status: 404 });
  expect([runtimes.known("p"), runtimes.projectOf("k")]).toEqual([undefined, undefined]);
  expect([await store.projects.get("p"), await store.projects.byCapability("k")]).toEqual([
    undefined,
    undefined,
  ]);
  expect(driver.opened.get("p")?.stopped).toBe(true);
  await expect(runtimes.delete("p")).rejects.toMatchObject({ status: 404 });
  await runtimes.putBack("p");
  expect(runtimes.projectOf("k")).toBe("p");
  expect((await runtimes.get("p")).view.name).toBe("Q");
  await expect(runtimes.putBack("p")).rejects.toMatchObject({ status: 404 });
});

it("removes a deleted project permanently after the time limit, and not sooner", async () => {
  await runtimes.delete("p");
  now += UNDO_MS;
  await runtimes.sweep();
  expect(await store.projects.deleted()).toMatchObject([{ id: "p" }]);
  now += 1;
  await runtimes.sweep();
  expect(await store.projects.deleted()).toEqual([]);
  await expect(runtimes.putBack("p")).rejects.toMatchObject({ status: 404 });
});

it("A95 does not remove a project that is restored while another is removed, and does not restore one that is being removed", async () => {
  await store.projects.create({ id: "q", name: "Q", createdAt: 1, updatedAt: 1, capability: "l" });
  for (const id of ["p", "q"]) await runtimes.delete(id);
  const { remove } = store.projects;
  const answers: unknown[] = [];
  store.projects.remove = async (id) => {
    for (const one of ["p", "q"])
      await runtimes.putBack(one).then(
        () => answers.push(one),
        (error: { status: number }) => answers.push(error.status),
      );
    store.projects.remove = remove;
    await remove(id);
  };
  now += UNDO_MS + 1;
  await runtimes.sweep();
  expect(answers).toEqual([404, "q"]);
  expect(await store.projects.get("p")).toBeUndefined();
  expect(await store.projects.get("q")).toBeDefined();
});

/**
 * Makes the workspace of `p` fail to stop this many times. It counts as stopped from the first time
 * on.
 */
function failToStop(times: number): void {
  const opened = driver.opened.get("p")!;
  const stop = opened.stop.bind(opened);
  let failures = times;
  opened.stop = async () => {
    opened.stopped = true;
    if (failures-- > 0) throw new Error("the sandbox is busy");
    await stop();
  };
}

it("opens a project again after its workspace failed to stop", async () => {
  const before = await runtimes.get("p");
  await before.workspace();
  failToStop(1);
  await expect(runtimes.release("p")).rejects.toThrow("busy");
  const runtime = await runtimes.get("p");
  expect(runtime).not.toBe(before);
  await runtime.workspace();
  expect(driver.opened.get("p")?.stopped).toBe(false);
});

it("retries closing an unused project whose workspace failed to stop", async () => {
  await (await runtimes.get("p")).workspace();
  const opened = driver.opened.get("p");
  failToStop(2);
  now += IDLE_MS + 1;
  await runtimes.sweep();
  expect(runtimes.awake("")).toHaveLength(1);
  await runtimes.sweep();
  await runtimes.sweep();
  expect(runtimes.awake("")).toHaveLength(0);
  expect(opened?.listeners.size).toBe(0);
});

it("does not show events that the log did not accept", async () => {
  const runtime = await runtimes.get("p");
  const { append } = store.log;
  store.log.append = () => false;
  runtime.append({ type: "project-renamed", name: "Lost" });
  expect(runtime.view.name).toBeUndefined();
  store.log.append = append;
  runtime.append({ type: "project-renamed", name: "Kept" });
  expect(runtime.view.name).toBe("Kept");
});

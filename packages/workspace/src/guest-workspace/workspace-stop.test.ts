import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import type { Sandbox, SandboxHost } from "./sandbox-host.ts";
import { openGuestWorkspace } from "./workspace.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface FakeSandbox extends Sandbox {
  isAlive: boolean;
  die(): void;
}

interface Failures {
  /** How many times ending a sandbox fails before it succeeds. */
  end?: number;
  close?: number;
  /** How many times telling a sandbox which files are sources fails. */
  facts?: number;
}

/**
 * A workspace with fake sandboxes.
 * @param isFilled its root contains files and is not covered yet
 */
async function open(failures: Failures = {}, isFilled = false) {
  const folder = mkdtempSync(join(tmpdir(), "treadle-stop-"));
  folders.push(folder);
  let { end = 0, close = 0, facts = 0 } = failures;
  const sandboxes: FakeSandbox[] = [];
  let [closings, most] = [0, 0];
  const host = {
    async start() {
      const ended = Promise.withResolvers<void>();
      const sandbox: FakeSandbox = {
        isAlive: true,
        die() {
          sandbox.isAlive = false;
          ended.resolve();
        },
        allow() {},
        request: (async (method: string) => {
          if (method === "source-facts" && facts-- > 0) throw new Error("the link broke");
          const result =
            method === "list-raw" && isFilled ? [{}] : method === "root-room" ? "" : [];
          return { result, body: new Uint8Array() };
        }) as never,
        dial: async () => Promise.reject(new Error("nothing listens")),
        atRest: async () => {},
        ended: ended.promise,
        async end() {
          if (end-- > 0) throw new Error("the engine does not answer");
          sandbox.die();
        },
      };
      sandboxes.push(sandbox);
      most = Math.max(most, sandboxes.filter(({ isAlive }) => isAlive).length);
      return sandbox;
    },
    openRoot: () => (isFilled ? { wasEntered: false, entered() {}, covered: () => (isFilled = false) } : undefined), // prettier-ignore
    gitDirectory: folder,
    async close() {
      closings++;
      if (close-- > 0) throw new Error("the disk is full");
      return [];
    },
  } as unknown as SandboxHost;
  const opening = () =>
    openGuestWorkspace({ project: "p", directory: folder, stateDirectory: folder }, host);
  const workspace = await opening().catch(opening);
  return { workspace, sandboxes, closings: () => closings, mostAtOnce: () => most };
}

it("ends its sandbox at the second stop if the first one failed", async () => {
  const { workspace, sandboxes, closings } = await open({ end: 1 });
  await expect(workspace.stop()).rejects.toThrow("does not answer");
  expect(sandboxes.map(({ isAlive }) => isAlive)).toEqual([true]);
  await workspace.stop();
  expect(sandboxes.map(({ isAlive }) => isAlive)).toEqual([false]);
  expect(closings()).toBe(1);
});

it("is closed at the second stop if closing failed, and not again after that", async () => {
  const { workspace, closings } = await open({ close: 1 });
  await expect(workspace.stop()).rejects.toThrow("disk is full");
  await workspace.stop();
  await workspace.stop();
  expect(closings()).toBe(2);
});

it("is closed once if it is stopped twice at the same time", async () => {
  const { workspace, closings } = await open();
  await Promise.all([workspace.stop(), workspace.stop()]);
  expect(closings()).toBe(1);
});

it("opens no sandbox for requests that arrive after the stop has begun", async () => {
  const { workspace, sandboxes } = await open();
  sandboxes[0]?.die();
  await sandboxes[0]?.ended;
  await Promise.resolve();
  const stopped = workspace.stop();
  await expect(workspace.start("npm run dev")).rejects.toMatchObject({ code: "stopped" });
  await stopped;
  expect(sandboxes.filter(({ isAlive }) => isAlive)).toEqual([]);
});

const alive = (sandboxes: readonly FakeSandbox[]) => sandboxes.map(({ isAlive }) => isAlive);

it("ends a sandbox if telling it which files are sources fails", async () => {
  const { workspace, sandboxes } = await open({ facts: 1 });
  expect(alive(sandboxes)).toEqual([false, true]);
  await workspace.stop();
  expect(alive(sandboxes)).toEqual([false, false]);
});

it("never has two sandboxes, even if ending the one to be replaced fails at first", async () => {
  const { workspace, sandboxes, mostAtOnce } = await open({ end: 1 }, true);
  // Before something starts, the sandbox is replaced by one with a covered root.
  workspace.start("npm run dev").catch(() => undefined);
  await expect.poll(() => sandboxes.length).toBe(2);
  await workspace.stop();
  expect(alive(sandboxes)).toEqual([false, false]);
  expect(mostAtOnce()).toBe(1);
});

it("reports a lost sandbox only if nobody ended it", async () => {
  const { workspace, sandboxes } = await open();
  const notices: string[] = [];
  workspace.listen(({ type }) => notices.push(type));
  sandboxes[0]?.die();
  await expect.poll(() => notices).toEqual(["lost"]);
  await workspace.files.list();
  expect(alive(sandboxes)).toEqual([false, true]);
  await workspace.stop();
  expect(notices).toEqual(["lost"]);
});

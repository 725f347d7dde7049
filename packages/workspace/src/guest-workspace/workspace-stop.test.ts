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

/** A workspace whose sandboxes do nothing. `failures` says how often ending a sandbox, and what follows, fails. */
async function open(failures: { end?: number; close?: number } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "treadle-stop-"));
  folders.push(folder);
  let { end = 0, close = 0 } = failures;
  const sandboxes: FakeSandbox[] = [];
  let closings = 0;
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
        request: (async () => ({ result: [], body: new Uint8Array() })) as never,
        dial: async () => Promise.reject(new Error("nothing listens")),
        atRest: async () => {},
        ended: ended.promise,
        async end() {
          if (end-- > 0) throw new Error("the engine does not answer");
          sandbox.die();
        },
      };
      sandboxes.push(sandbox);
      return sandbox;
    },
    openRoot: () => undefined,
    gitDirectory: folder,
    async close() {
      closings++;
      if (close-- > 0) throw new Error("the disk is full");
      return [];
    },
  } as unknown as SandboxHost;
  const workspace = await openGuestWorkspace(
    { project: "p", directory: folder, stateDirectory: folder },
    host,
  );
  return { workspace, sandboxes, closings: () => closings };
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

it("opens no sandbox for what is asked for after the stop has begun", async () => {
  const { workspace, sandboxes } = await open();
  sandboxes[0]?.die();
  await sandboxes[0]?.ended;
  await Promise.resolve();
  const stopped = workspace.stop();
  await expect(workspace.start("npm run dev")).rejects.toMatchObject({ code: "stopped" });
  await stopped;
  expect(sandboxes.filter(({ isAlive }) => isAlive)).toEqual([]);
});

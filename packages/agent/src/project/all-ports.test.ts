import { describe, expect, it } from "vitest";
import { createFakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import { allPortsOpen } from "./all-ports.ts";

const serve = () => () => {};

async function startWaiting(elsewhere: readonly number[] | undefined, signal?: AbortSignal) {
  const workspace = createFakeWorkspace({ serve });
  await workspace.start("npm run dev");
  let isOver = false;
  const waiting = allPortsOpen(workspace, () => elsewhere, signal ?? new AbortController().signal);
  const settled = waiting.finally(() => (isOver = true));
  settled.catch(() => {});
  await new Promise(setImmediate);
  return { workspace, settled, isOver: () => isOver };
}

describe("a server that is started in another place", () => {
  it("is complete when as many ports are open as its command opened before", async () => {
    const { workspace, settled, isOver } = await startWaiting([1, 2]);
    expect(isOver()).toBe(false);
    workspace.openPort(() => {});
    await settled;
  });

  it.each([
    ["one port is all that there is", [1]],
    ["nothing is known of it", undefined],
  ])("is complete at once where %s", async (_, ports) => {
    const { isOver } = await startWaiting(ports);
    expect(isOver()).toBe(true);
  });

  it("is not waited for once it has ended", async () => {
    const { workspace, settled, isOver } = await startWaiting([1, 2]);
    expect(isOver()).toBe(false);
    workspace.crashServer(1);
    await settled;
  });

  it("is not waited for once nobody wants to know", async () => {
    const ends = new AbortController();
    const { settled } = await startWaiting([1, 2], ends.signal);
    ends.abort(new Error("stopped"));
    await expect(settled).rejects.toThrow("stopped");
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Workspace } from "@treadle/workspace";
import { MemoryWorkspace } from "@treadle/workspace/testing";
import { afterEach, expect, it } from "vitest";
import type { ProjectContext } from "../project-context/project-context.ts";
import { holdWorkspace } from "./workspace-holder.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Marks itself as stopped, and then fails to stop as many times as `failures` says. */
class UnendingWorkspace extends MemoryWorkspace {
  stops = 0;
  readonly #failures: number;
  constructor(failures: number) {
    super();
    this.#failures = failures;
  }
  override async stop(): Promise<void> {
    this.stopped = true;
    if (++this.stops <= this.#failures) throw new Error("the sandbox is busy");
    await super.stop();
  }
}

interface Faults {
  /** How many times a workspace fails to stop. */
  stop?: number;
  /** Throws when the files' state is recorded at the opening, and at the end. */
  opened?: () => void;
  released?: () => void;
}

function hold({ stop = 0, opened, released }: Faults = {}) {
  const dataDirectory = mkdtempSync(join(tmpdir(), "treadle-holder-"));
  folders.push(dataDirectory);
  const workspaces: UnendingWorkspace[] = [];
  const notices: string[] = [];
  const context = {
    id: "p",
    append() {},
    record: async () => ({ name: "p" }),
    trust: {
      opened: async () => opened?.(),
      released: async () => released?.(),
      authors: { isCommands: () => false },
    },
    parts: {
      dataDirectory,
      clock: { now: () => 0 },
      onNotice: (text: string) => notices.push(text),
      store: {
        projects: { get: async () => ({}) },
        secrets: { reveal: async () => [] },
      },
      driver: {
        async open(): Promise<Workspace> {
          if (workspaces.some((one) => one.stops <= stop && one.stops > 0))
            throw new Error("two workspaces of one project");
          workspaces.push(new UnendingWorkspace(workspaces.length === 0 ? stop : 0));
          return workspaces.at(-1)!;
        },
      },
    },
  } as unknown as ProjectContext;
  const holder = holdWorkspace(context, { isWorking: () => false, isWaking: () => false });
  return { holder, workspaces, notices };
}

it("opens the project again after its workspace failed to stop once", async () => {
  const { holder, workspaces } = hold({ stop: 1 });
  await holder.open();
  await expect(holder.release()).rejects.toThrow("busy");
  expect(holder.current()).toBeUndefined();
  const again = await holder.open();
  expect(workspaces[0]?.stops).toBe(2);
  expect(again).toBe(workspaces[1]);
  await holder.close();
  expect(workspaces[1]?.stopped).toBe(true);
});

it("tries to stop a workspace at each request as long as it fails, and reports why", async () => {
  const { holder, workspaces } = hold({ stop: 4 });
  await holder.open();
  await expect(holder.release()).rejects.toThrow("busy");
  await expect(holder.open()).rejects.toThrow("busy");
  await expect(holder.release()).rejects.toThrow("busy");
  // The sweep of unused projects finds it, and tries again.
  expect(holder.isOpen()).toBe(true);
  await expect(holder.close()).rejects.toThrow("busy");
  await holder.close();
  expect(workspaces.map(({ stops }) => stops)).toEqual([5]);
  await expect(holder.open()).rejects.toMatchObject({ code: "put-away" });
});

it("stops the workspace although its state could not be recorded", async () => {
  const { holder, workspaces, notices } = hold({
    released() {
      throw new Error("the disk is full");
    },
  });
  await holder.open();
  await holder.release();
  expect(workspaces[0]?.stopped).toBe(true);
  expect(notices).toEqual(["the disk is full"]);
});

it("stops a workspace that must not be used, also if that fails at first", async () => {
  let isRefused = true;
  const { holder, workspaces } = hold({
    stop: 1,
    opened() {
      if (isRefused) throw new Error("the files cannot be read");
    },
  });
  await expect(holder.open()).rejects.toThrow("cannot be read");
  isRefused = false;
  expect(await holder.open()).toBe(workspaces[1]);
  expect(workspaces[0]?.stops).toBe(2);
  await holder.close();
});

it("gives all callers during an opening the same workspace", async () => {
  const { holder, workspaces } = hold();
  const [first, second] = await Promise.all([holder.open(), holder.open()]);
  expect(first).toBe(second);
  expect(workspaces).toHaveLength(1);
  await holder.close();
});

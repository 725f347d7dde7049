import { asSentence } from "@treadle/protocol/sentences";
import { PassThrough } from "node:stream";
import { WorkspaceError, type Workspace, type WorkspaceNotice } from "@treadle/workspace";
import { expect, it } from "vitest";
import { createReleaseApp } from "./release-app.ts";

/** An app whose sandbox dies during this many connections. */
function dying(times: number) {
  const done: string[] = [];
  const given: Parameters<Workspace["start"]>[1][] = [];
  const listeners: ((notice: WorkspaceNotice) => void)[] = [];
  const workspace: Partial<Workspace> = {
    listen(listener) {
      listeners.push(listener);
      return () => undefined;
    },
    async start(command, how) {
      done.push("started");
      given.push(how);
      return { state: "up", command, ports: [3000], restarts: 0 };
    },
    async connect() {
      if (times-- <= 0) return new PassThrough();
      for (const listener of listeners) listener({ type: "lost", reason: "it ended by itself" });
      throw new WorkspaceError("sandbox", asSentence("the sandbox ended"));
    },
  };
  const app = createReleaseApp({
    command: "npm start",
    settings: async () => ({ hosts: [], staticHosts: false, secrets: [] }),
    open: async () => workspace as Workspace,
    dataOf: async () => [],
    now: () => 1,
    onOutput() {},
    onCrash: (text, stack) => void done.push(text, ...(stack === undefined ? [] : [stack])),
    onLimit() {},
  });
  const emit = (notice: WorkspaceNotice) => {
    for (const listener of listeners) listener(notice);
  };
  return { app, done, given, emit };
}

it("is started in a production environment, and its connections reach only this app", async () => {
  const { app, given } = dying(0);
  await app.start();
  expect(given).toEqual([{ env: { NODE_ENV: "production" }, takesDials: true }]);
});

it("reports the error and its position when it exits", async () => {
  const { app, done, emit } = dying(0);
  await app.start();
  const tail = [
    "file:///home/project/server.js:26",
    '  if (request.url === "/boom") throw new Error("boom");',
    "",
    "Error: boom",
    "    at Server.<anonymous> (file:///home/project/server.js:26:38)",
    "    at Server.emit (node:events:514:28)",
    "",
    "Node.js v24.21.0",
  ].join("\n");
  const server = { state: "crashed", command: "npm start", ports: [], restarts: 0, exitCode: 1 };
  emit({ type: "server", server: { ...server, tail } } as WorkspaceNotice);
  expect(done.slice(1)).toEqual([
    "It ended with 1: Error: boom",
    "at Server.<anonymous> (file:///home/project/server.js:26:38)\n    at Server.emit (node:events:514:28)",
  ]);
});

it("a connection that meets the end of its sandbox waits for the next one", async () => {
  const { app, done } = dying(1);
  await app.connect();
  expect(done).toEqual(["started", "it ended by itself", "started"]);
  expect(app.state()).toBe("up");
});

it("it does so once: an app that ends its sandbox again is not restarted forever", async () => {
  const { app, done } = dying(9);
  await expect(app.connect()).rejects.toMatchObject({ code: "sandbox" });
  expect(done.filter((one) => one === "started")).toHaveLength(2);
});

type Started = Awaited<ReturnType<Workspace["start"]>>;

/** An app whose sandboxes the test controls. */
function held() {
  const starts: PromiseWithResolvers<Started>[] = [];
  const opened: Workspace[] = [];
  /** How often a sandbox still fails to end. */
  const faults = { ends: 0 };
  const log: string[] = [];
  const app = createReleaseApp({
    command: "npm start",
    settings: async () => ({ hosts: [], staticHosts: false, secrets: [] }),
    async open() {
      const number = opened.length + 1;
      log.push(`opened ${number}`);
      const workspace: Partial<Workspace> = {
        listen: () => () => undefined,
        start() {
          const start = Promise.withResolvers<Started>();
          starts.push(start);
          return start.promise;
        },
        async stop() {
          if (faults.ends-- > 0) throw new Error("busy");
          log.push(`ended ${number}`);
        },
      };
      opened.push(workspace as Workspace);
      return workspace as Workspace;
    },
    dataOf: async () => [],
    now: () => 1,
    onOutput() {},
    onCrash() {},
    onLimit() {},
  });
  return { app, starts, faults, log };
}
const UP: Started = { state: "up", command: "npm start", ports: [3000], restarts: 0 };

it("sleeps if its end interrupts its start, and starts on the next request", async () => {
  const { app, starts, log } = held();
  const first = app.start();
  await expect.poll(() => starts).toHaveLength(1);
  const slept = app.sleep();
  await expect(first).rejects.toMatchObject({ message: expect.any(String) });
  await slept;
  starts[0]!.reject(new WorkspaceError("stopped", asSentence("this workspace was stopped")));
  await starts[0]!.promise.catch(() => undefined);
  expect(app.state()).toBe("asleep");
  const second = app.start();
  await expect.poll(() => starts).toHaveLength(2);
  starts[1]!.resolve(UP);
  await second;
  expect([app.state(), ...log]).toEqual(["up", "opened 1", "ended 1", "opened 2"]);
});

it("is not up if an earlier sandbox reports its start late", async () => {
  const { app, starts } = held();
  const first = app.start();
  first.catch(() => undefined);
  await expect.poll(() => starts).toHaveLength(1);
  await app.sleep();
  starts[0]!.resolve(UP);
  await first.catch(() => undefined);
  expect([app.state(), app.upSince()]).toEqual(["asleep", undefined]);
});

it("ends a sandbox again whose end failed, before it opens another", async () => {
  const { app, faults, log } = held();
  await app.workspace();
  faults.ends = 1;
  await expect(app.sleep()).rejects.toThrow("busy");
  expect(app.isOpen()).toBe(true);
  await app.workspace();
  expect(log).toEqual(["opened 1", "ended 1", "opened 2"]);
});

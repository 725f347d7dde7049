import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, createServer as createTcpServer, type AddressInfo, type Server } from "node:net";
import type { ServerState } from "@treadle/protocol";
import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { CERTIFICATE, KEY } from "../../../egress/src/certificate.test-support.ts";
import type { RunningCommand } from "./commands.ts";
import { createSupervisor } from "./supervisor.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}
const web = () => listening(createHttpServer((_request, response) => response.end("web")));
/** Accepts connections and sends nothing. */
const mute = () => listening(createTcpServer((socket) => void socket.on("error", () => undefined)));

/** Accepts connections and closes them. */
const curt = (onAsked: () => void) =>
  listening(
    createTcpServer((socket) => {
      socket.on("error", () => undefined).destroy();
      onAsked();
    }),
  );

interface Fake extends RunningCommand {
  isAlive: boolean;
  open(...ports: number[]): void;
  crash(code: number): void;
}

function fakeCommand(id: string): Fake {
  const ended = Promise.withResolvers<{ code: number }>();
  const end = (code: number) => {
    command.isAlive = false;
    ended.resolve({ code });
  };
  const command: Fake = {
    isAlive: true,
    id,
    text: id,
    ended: ended.promise,
    output: () => `words of ${id}, http://localhost:1/`,
    refused: [],
    refusedPackages: [],
    onOutput: undefined,
    ports: [],
    onPorts: undefined,
    kill: async () => end(143),
    activity: async () => undefined,
    open(...ports) {
      command.ports = ports;
      command.onPorts?.();
    },
    crash: end,
  };
  return command;
}

/** A supervisor over commands scripted by the test, with a clock that advances only on request. */
function supervised(refuses?: () => void | Promise<void>) {
  let now = 0;
  const slept: number[] = [];
  const states: ServerState[] = [];
  const commands: Fake[] = [];
  const waiting: { when(): boolean; resolve(): void }[] = [];
  const look = () => {
    for (const { when, resolve } of waiting) if (when()) resolve();
  };
  const supervisor = createSupervisor({
    async start() {
      await refuses?.();
      const command = fakeCommand(`command ${commands.length + 1}`);
      commands.push(command);
      setImmediate(look);
      return command;
    },
    setUp: async () => "",
    connect: async (port) => connect(port, "127.0.0.1"),
    endLeftBehind: async () => {},
    onState(state) {
      states.push(state);
      setImmediate(look);
    },
    onOutput: () => undefined,
    clock: {
      now: () => now,
      async sleep(ms) {
        slept.push(ms);
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
  });
  const until = (when: () => boolean) =>
    when()
      ? Promise.resolve()
      : new Promise<void>((resolve) => void waiting.push({ when, resolve }));
  return {
    supervisor,
    states,
    commands,
    /** Only the delays before restarts. */
    backOff: () => slept.filter((ms) => ms >= 500),
    pass: (ms: number) => (now += ms),
    started: async (count: number) => {
      await until(() => commands.length >= count);
      return commands[count - 1]!;
    },
    reached: (state: ServerState["state"], restarts: number) =>
      until(() => states.some((one) => one.state === state && one.restarts === restarts)),
  };
}

it("F15 restarts a crashed server three times with growing delays, and keeps its last output", async () => {
  const { supervisor, started, reached, backOff, commands } = supervised();
  const port = await web();
  const up = supervisor.start("npm run dev");
  for (let restart = 0; restart <= 3; restart++) {
    (await started(restart + 1)).open(port);
    await reached("up", restart);
    commands[restart]!.crash(7);
    await reached("crashed", restart);
  }
  expect(await up).toMatchObject({ restarts: 0 });
  expect(backOff()).toEqual([500, 1000, 2000]);
  expect(commands).toHaveLength(4);
  expect(supervisor.state).toMatchObject({ state: "crashed", exitCode: 7, ports: [], restarts: 3 });
  expect(supervisor.state?.tail).toContain("words of command 4");
});

it("F15 gives a server that ran well for a minute all its restarts again", async () => {
  const { supervisor, started, reached, backOff, commands, pass } = supervised();
  const port = await web();
  void supervisor.start("npm run dev");
  for (let restart = 0; restart <= 2; restart++) {
    (await started(restart + 1)).open(port);
    await reached("up", restart);
    if (restart === 2) pass(60_000);
    commands[restart]!.crash(1);
  }
  (await started(4)).open(port);
  await expect.poll(() => supervisor.state).toMatchObject({ state: "up", restarts: 1 });
  expect(backOff()).toEqual([500, 1000, 500]);
  await supervisor.stop();
});

it("counts a server as up when it answers a request, not when a port is open or named in its output", async () => {
  const { supervisor, started, reached, states } = supervised();
  const port = await mute();
  const waited = supervisor.start("npm run dev", { timeoutMs: 1 });
  (await started(1)).open(port);
  expect(await waited).toMatchObject({ state: "starting", ports: [port] });
  expect(states.map(({ state }) => state)).not.toContain("up");
  // Nobody waits for it any more; it still counts as up once it answers.
  const other = await web();
  (await started(1)).open(port, other);
  await reached("up", 0);
  expect(supervisor.state?.ports).toEqual([other, port]);
  await supervisor.stop();
});

it("is not held up by a port that accepts connections and sends nothing", async () => {
  const { supervisor, started } = supervised();
  const debuggers = await mute();
  const answering = await web();
  const up = supervisor.start("node --inspect server.js");
  (await started(1)).open(debuggers, answering);
  expect(await up).toMatchObject({ state: "up", ports: [answering, debuggers] });
  await supervisor.stop();
});

it("F16 adds ports that open later at the end, removes closed ones, and follows a new port after a restart", async () => {
  const { supervisor, started, reached } = supervised();
  const [first, second, third] = [await web(), await web(), await web()];
  const up = supervisor.start("npm run dev");
  const command = await started(1);
  command.open(second);
  expect(await up).toMatchObject({ ports: [second] });
  command.open(first, second);
  expect(supervisor.state?.ports).toEqual([second, first]);
  command.open(first);
  expect(supervisor.state?.ports).toEqual([first]);
  command.crash(1);
  (await started(2)).open(third);
  await reached("up", 1);
  expect(supervisor.state?.ports).toEqual([third]);
  await supervisor.stop();
});

it("does not restart a server that was stopped during the delay", async () => {
  const { supervisor, started, reached, commands } = supervised();
  const up = supervisor.start("npm run dev");
  (await started(1)).open(await web());
  await up;
  commands[0]!.crash(1);
  await reached("crashed", 0);
  await supervisor.stop();
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(commands).toHaveLength(1);
});

it("reports a failed start instead of starting forever", async () => {
  const { supervisor } = supervised(() => {
    throw new Error("no more processes");
  });
  await expect(supervisor.start("npm run dev")).rejects.toThrow("no more processes");
  expect(supervisor.state).toMatchObject({ state: "crashed", tail: "no more processes" });
});

it("does not count a watcher whose program crashed as a server until it answers again", async () => {
  const { supervisor, started, reached } = supervised();
  const starting = supervisor.start("nodemon server.js");
  const command = await started(1);
  await reached("starting", 0);
  command.onOutput?.("[nodemon] app crashed - waiting for file changes before starting...\n");
  expect(await starting).toMatchObject({
    state: "crashed",
    tail: expect.stringContaining("words of"),
  });
  command.open(await web());
  await reached("up", 0);
  expect(supervisor.state?.state).toBe("up");
});

it("counts a server that only speaks HTTPS as up", async () => {
  const { supervisor, started } = supervised();
  const up = supervisor.start("vite --https");
  const secure = createSecureServer({ key: KEY, cert: CERTIFICATE }, (_, answer) => answer.end());
  (await started(1)).open(await listening(secure));
  expect(await up).toMatchObject({ state: "up" });
});

it("waits half a minute for a port that closes each connection, and keeps asking", async () => {
  const { supervisor, started, pass, reached } = supervised();
  const port = await curt(() => pass(2_000));
  const slow = supervisor.start("python3 app.py");
  (await started(1)).open(port);
  expect(await slow).toMatchObject({ state: "starting", ports: [port] });
  (await started(1)).open(await web());
  await reached("up", 0);
});

/** A gate at which starts wait until they are let through in order. */
function gate() {
  const waiting: (() => void)[] = [];
  return {
    wait: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    letOneThrough: async () => {
      await expect.poll(() => waiting.length, { interval: 1 }).toBeGreaterThan(0);
      waiting.shift()!();
    },
  };
}

const alive = (commands: Fake[]) => commands.filter(({ isAlive }) => isAlive).map(({ id }) => id);

it("leaves one server after two starts at once: the one requested last", async () => {
  const { supervisor, started, commands } = supervised();
  const first = supervisor.start("npm run one");
  const second = supervisor.start("npm run two");
  await expect.poll(() => supervisor.state?.command).toBe("npm run two");
  (await started(commands.length || 1)).open(await web());
  expect(await second).toMatchObject({ state: "up", command: "npm run two" });
  await first;
  expect(alive(commands)).toHaveLength(1);
  await supervisor.stop();
  expect(alive(commands)).toEqual([]);
});

it("ends the process of the first start before it starts the second", async () => {
  const { wait, letOneThrough } = gate();
  const { supervisor, started, commands } = supervised(wait);
  const first = supervisor.start("npm run one");
  await expect.poll(() => supervisor.state?.command).toBe("npm run one");
  const second = supervisor.start("npm run two");
  await letOneThrough();
  expect(await first).toMatchObject({ state: "stopped", command: "npm run one" });
  expect(alive(commands)).toEqual([]);
  await letOneThrough();
  (await started(2)).open(await web());
  expect(await second).toMatchObject({ state: "up", command: "npm run two" });
  expect(alive(commands)).toEqual(["command 2"]);
  await supervisor.stop();
});

it("leaves no server after a stop during a start", async () => {
  const { wait, letOneThrough } = gate();
  const { supervisor, commands } = supervised(wait);
  const start = supervisor.start("npm run dev");
  await expect.poll(() => supervisor.state?.state).toBe("starting");
  const stop = supervisor.stop();
  await letOneThrough();
  await stop;
  expect(await start).toMatchObject({ state: "stopped" });
  expect(commands.map(({ isAlive }) => isAlive)).toEqual([false]);
  expect(supervisor.state).toMatchObject({ state: "stopped", ports: [] });
});

it("replaces a server that is being started by an adopted one", async () => {
  const { wait, letOneThrough } = gate();
  const { supervisor, commands } = supervised(wait);
  const start = supervisor.start("npm run dev");
  await expect.poll(() => supervisor.state?.state).toBe("starting");
  const adopted = fakeCommand("adopted");
  adopted.open(await web());
  const adoption = supervisor.adopt("npm start", adopted);
  await expect.poll(() => supervisor.state?.state).toBe("starting");
  await letOneThrough();
  expect(await adoption).toBe(true);
  await start;
  expect(alive([...commands, adopted])).toEqual(["adopted"]);
  await supervisor.stop();
  expect(adopted.isAlive).toBe(false);
});

it("runs at most one server, and none after a stop, for any sequence of requests", async () => {
  const acts = fc.array(
    fc.constantFrom("start", "start", "stop", "crash", "lost", "warm", "rest"),
    {
      maxLength: 14,
    },
  );
  await fc.assert(
    fc.asyncProperty(acts, fc.scheduler(), async (list, s) => {
      const { supervisor, commands } = supervised(() => s.schedule(Promise.resolve(), "start"));
      const asked: Promise<unknown>[] = [];
      for (const act of list) {
        if (act === "start") asked.push(supervisor.start(`server ${asked.length}`));
        else if (act === "stop") asked.push(supervisor.stop());
        else if (act === "warm") supervisor.warm("server 1");
        else if (act === "crash") commands.at(-1)?.crash(1);
        else {
          for (const command of commands) command.crash(137);
          supervisor.lost();
        }
        if (act !== "rest") await new Promise((resolve) => setImmediate(resolve));
        else {
          await s.waitIdle();
          await new Promise((resolve) => setImmediate(resolve));
        }
        expect(alive(commands).length, act).toBeLessThanOrEqual(1);
      }
      asked.push(supervisor.stop());
      await s.waitFor(Promise.allSettled(asked));
      expect(alive(commands)).toEqual([]);
      expect(supervisor.state?.state ?? "stopped").not.toBe("starting");
    }),
    { numRuns: 100 },
  );
});

import { describe, expect, onTestFinished, test, vi } from "vitest";
import { awaitCommand, createCommands } from "./commands.ts";
import type { Method, Params, Result } from "../wire/requests.ts";
import type { GuestLink } from "./guest-link.ts";

/** A link whose response to `start` arrives together with the command's output. */
function linkThatAnswersWith(output: (id: string) => void): GuestLink {
  return {
    ended: new Promise(() => undefined),
    dial: () => Promise.reject(new Error("nothing listens here")),
    atRest: () => Promise.resolve(),
    end: () => Promise.resolve(),
    request<M extends Method>(method: M, params: Params<M>) {
      const answer = Promise.resolve({ result: undefined as Result<M>, body: new Uint8Array() });
      if (method === "start") output((params as Params<"start">).process);
      return answer;
    },
  };
}

test("passes output from before there was a listener to the first listener", async () => {
  const commands = createCommands();
  const link = linkThatAnswersWith((id) => commands.output(id, Buffer.from("here\n")));
  const abort = new AbortController();
  const heard: string[] = [];
  const command = await commands.start(link, "echo here; sleep 1000");
  const exit = await awaitCommand(command, {
    signal: abort.signal,
    onOutput(text) {
      heard.push(text);
      abort.abort();
    },
  });
  expect(heard).toEqual(["here\n"]);
  expect(exit).toMatchObject({ kind: "aborted", output: "here\n" });
});

test("does not repeat output to a listener that replaces another", async () => {
  const commands = createCommands();
  let id = "";
  const command = await commands.start(
    linkThatAnswersWith((process) => (id = process)),
    "echo",
  );
  const heard: string[] = [];
  command.onOutput = (text) => heard.push(`first: ${text}`);
  commands.output(id, Buffer.from("a"));
  command.onOutput = (text) => heard.push(`second: ${text}`);
  commands.output(id, Buffer.from("b"));
  expect(heard).toEqual(["first: a", "second: b"]);
});

describe.concurrent("a watcher whose program crashed", () => {
  const CRASH = "Error: no\n    at server.js:1:1\n\nNode.js v24.21.0\n";

  async function exitOf(text: string, output: string, ports: number[] = []) {
    const commands = createCommands();
    const command = await commands.start(
      linkThatAnswersWith((id) => commands.output(id, Buffer.from(output))),
      text,
    );
    command.ports = ports;
    command.kill = async () => undefined;
    return awaitCommand(command, { quietMs: 2_500 });
  }

  test.each([
    ["nodemon server.js", "[nodemon] app crashed - waiting for file changes before starting...\n"],
    [
      "npm run dev",
      `${CRASH}Failed running 'server.js'. Waiting for file changes before restarting...\n`,
    ],
    ["npx tsx watch server.ts", CRASH],
    ["npm run dev", "error when starting dev server:\nError: no\n"],
    ["npx ts-node-dev a.ts", "Error: no\n    at a.ts:1:1\n[ERROR] 22:24:00 Error: no\n"],
    [
      "npx tsc -w",
      "a.ts(1,7): error TS2322.\n\n10:24:14 PM - Found 1 error. Watching for file changes.\n",
    ],
    [
      "webpack --watch",
      "ERROR in ./src/index.js 1:0\n\nwebpack 5.112.2 compiled with 1 error in 358 ms\n",
    ],
  ])("is ended at once with a message: %s", async (text, output) => {
    const exit = await exitOf(text, output);
    expect(exit).toMatchObject({ kind: "exited", code: 1 });
    expect(exit).toMatchObject({ output: expect.stringContaining("waits for a file to change") });
  });

  test.each([
    ["node a.js || sleep 60", CRASH, []],
    ["npm run dev", CRASH, [3000]],
    ["npm run dev", "Node.js v24.21.0 is nice, it says\n", []],
    ["npx tsc -w & node a.js", "10:24:14 PM - Found 1 error. Watching for file changes.\n", []],
  ])("is not confused with a command with similar output: %s", async (text, output, ports) => {
    expect(await exitOf(text, output, ports)).toMatchObject({ kind: "quiet" });
  });
});

describe("a command that listens", () => {
  async function listening(ports: number[]) {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const asked = vi.fn(async () => true);
    const commands = createCommands();
    let id = "";
    const command = await commands.start(
      linkThatAnswersWith((process) => (id = process)),
      "npm test",
    );
    command.kill = async () => undefined;
    const exit = awaitCommand(command, {}, asked);
    const open = (now: number[]) => commands.ports(now.map((port) => ({ process: id, port })));
    open(ports);
    return { asked, exit, open };
  }

  test("is a server at once if it chose its port", async () => {
    const { exit } = await listening([3000]);
    expect(await exit).toBe("adopted");
  });

  test("is a server only if its port stays open, when the system chose the port, as for tests", async () => {
    const { asked, exit, open } = await listening([40_001]);
    await vi.advanceTimersByTimeAsync(10_000);
    open([]);
    open([40_002]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await exit).toBe("adopted");
  });
});

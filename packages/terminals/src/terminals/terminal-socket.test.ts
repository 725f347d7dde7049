import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import type { ProjectTerminals } from "./project-terminals.ts";
import { createBacklog } from "../../../common/src/text/backlog.ts";
import { joinTerminal, type Socket } from "./terminal-socket.ts";

const SIZE = { columns: 80, rows: 24 };

/** A page's WebSocket that records its close code, and a shell that starts on request. */
function setUp() {
  const shell = Promise.withResolvers<void>();
  const seen = { attached: 0, listening: 0, written: [] as string[], closed: undefined as unknown };
  const events = new EventEmitter();
  const socket: Socket = {
    bufferedAmount: 0,
    send: () => {},
    close: (code) => void (seen.closed ??= code),
    on: (event: string, listener: (...args: never[]) => void) =>
      events.on(event, listener as () => void),
  };
  const listen = () => {
    seen.listening++;
    return () => void seen.listening--;
  };
  const terminals: Pick<ProjectTerminals, "attach"> = {
    async attach() {
      seen.attached++;
      await shell.promise;
      return {
        terminal: {
          text: createBacklog(0),
          write: (data) => void seen.written.push(data),
          resize: () => {},
          onMore: listen,
          clear: () => {},
          onExit: listen,
        },
        detach: () => void seen.attached--,
      };
    },
  };
  const joined = joinTerminal(
    socket,
    {
      terminals: terminals as ProjectTerminals,
      serverOutput: { text: createBacklog(0), onMore: () => () => {}, clear: () => {} },
      onPorts: listen,
    },
    "one",
    { size: SIZE, person: undefined },
  );
  const type = (data: string) => events.emit("message", JSON.stringify({ type: "data", data }));
  return { seen, events, type, joined, shell };
}

it("a page that disconnected before the shell started does not count as a viewer forever", async () => {
  const { seen, events, joined, shell } = setUp();
  events.emit("close");
  shell.resolve();
  await joined;
  expect([seen.attached, seen.listening]).toEqual([0, 0]);
});

it("A66 buffers input before the shell has started up to a limit", async () => {
  const { seen, type, joined, shell } = setUp();
  type("ls\n");
  expect(seen.closed).toBeUndefined();
  for (let count = 0; count < 20; count++) type("x".repeat(64 * 1024));
  expect(seen.closed).toBe(1009);
  shell.resolve();
  await joined;
  expect(seen.written[0]).toBe("ls\n");
  expect(seen.written.join("").length).toBeLessThan(1024 * 1024);
});

import { expect, it } from "vitest";
import { MESSAGE_BYTES, MESSAGES, REPLIES } from "./limits.ts";
import { pipeTransport, type McpPipe } from "./pipe-transport.ts";
import type { McpError } from "./types.ts";

/** A program that only listens, and a clock that does not advance. */
async function program() {
  let send!: (bytes: Uint8Array) => void;
  let time = 0;
  const seen = { wrote: [] as string[], log: "", failed: [] as McpError[], killed: 0, messages: 0 };
  const pipe: McpPipe = {
    write: (data) => void seen.wrote.push(data),
    onData: (listener) => (send = listener),
    onErrors: () => undefined,
    ended: new Promise(() => undefined),
    kill: async () => void seen.killed++,
  };
  const transport = pipeTransport(pipe, {
    onLog: (text) => (seen.log += text),
    onFail: (error) => seen.failed.push(error),
    now: () => time,
  });
  transport.onmessage = () => void seen.messages++;
  await transport.start();
  return {
    seen,
    transport,
    wait: (ms: number) => (time += ms),
    say: (text: string) => send(new TextEncoder().encode(text)),
  };
}

const notice = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress" })}\n`;

it("a flood of messages ends the program; as many as are allowed do not", async () => {
  const { seen, say: send, wait } = await program();
  send(notice.repeat(MESSAGES.burst));
  expect(seen).toMatchObject({ messages: MESSAGES.burst, failed: [], killed: 0 });
  wait(1_000);
  send(notice.repeat(MESSAGES.perSecond));
  expect(seen.failed).toEqual([]);
  send(notice);
  expect(seen.failed).toMatchObject([{ code: "flood" }]);
  send(notice.repeat(100));
  expect(seen).toMatchObject({ messages: MESSAGES.burst + MESSAGES.perSecond, killed: 1 });
});

it("what it says for its log is in the log, as a line of bounded length", async () => {
  const { seen, say: send } = await program();
  const log = (params: object) =>
    send(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params })}\n`);
  log({ level: "warning", logger: "db", data: "no\nrows" });
  log({ data: { a: 1 } });
  log({});
  log({ level: "info", data: "x".repeat(100_000) });
  expect(seen.log).toMatch(/^warning db: no rows\n\{"a":1\}\n\ninfo: x+…\n$/);
  expect(seen.log.length).toBeLessThan(1_100);
  expect(seen.messages).toBe(0);
});

it("answers to what it asks do not pile up; questions of ours always go out", async () => {
  const { seen, transport } = await program();
  for (let id = 0; id < REPLIES.burst + 50; id++)
    await transport.send({ jsonrpc: "2.0", id, result: {} });
  expect(seen.wrote).toHaveLength(REPLIES.burst);
  await transport.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  expect(seen.wrote).toHaveLength(REPLIES.burst + 1);
});

it("a message of the greatest length is read, one that goes on for ever ends the program", async () => {
  const { seen, say: send } = await program();
  const frame = JSON.stringify({ jsonrpc: "2.0", method: "n", params: { a: "" } });
  send(`${frame.slice(0, -3)}${"x".repeat(MESSAGE_BYTES - frame.length)}${frame.slice(-3)}`);
  expect(seen.failed).toEqual([]);
  send("\n");
  expect(seen.messages).toBe(1);
  for (let sent = 0; sent <= MESSAGE_BYTES; sent += 65_536) send("x".repeat(65_536));
  expect(seen).toMatchObject({ failed: [{ code: "too-large" }], killed: 1 });
});

import { EventEmitter } from "node:events";
import type { Pipe, Workspace } from "@treadle/workspace";
import { MemoryWorkspace } from "@treadle/workspace/testing";
import { expect, it } from "vitest";
import type { Socket } from "../terminals/terminal-socket.ts";
import { framed } from "./message-reader.ts";
import { CLOSED, joinLanguageServer } from "./join-language-server.ts";

/** A page, and a program of the project in place of a language server. */
async function joined() {
  let hear: (bytes: Uint8Array) => void = () => {};
  const written: Uint8Array[] = [];
  let killed = 0;
  const pipe: Pipe = {
    write: (data) => void written.push(Buffer.from(data)),
    onData: (listener) => (hear = listener),
    onErrors() {},
    ended: new Promise(() => {}),
    kill: async () => void killed++,
  };
  const workspace: Workspace = Object.assign(new MemoryWorkspace(new Map()), {
    pipe: async () => pipe,
  });
  const events = new EventEmitter();
  const sent: string[] = [];
  let closed: number | undefined;
  const socket: Socket = {
    bufferedAmount: 0,
    send: (text) => void sent.push(text),
    // A page that does not close does not keep the connection open.
    close: (code) => void (closed ??= code),
    on: (event, listener) => events.on(event, listener),
  };
  let now = 0;
  const project = { open: async () => workspace, isOpen: () => true };
  await joinLanguageServer(socket, "web", project, () => now);
  return {
    says: (message: object) => hear(framed(JSON.stringify({ jsonrpc: "2.0", ...message }))),
    saysBytes: (bytes: Uint8Array) => hear(bytes),
    asks: (message: object) =>
      events.emit("message", Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }))),
    later: (ms: number) => void (now += ms),
    sent,
    bytesWritten: () => written.reduce((sum, bytes) => sum + bytes.length, 0),
    closed: () => closed,
    killed: () => killed,
  };
}

it("A90 ends a program that sends endlessly, even if the page stays", async () => {
  const { says, sent, closed, killed } = await joined();
  for (let index = 0; index < 100_000; index++)
    says({ method: "textDocument/publishDiagnostics", params: {} });
  expect([closed(), killed()]).toEqual([CLOSED.refused, 1]);
  expect(sent.length).toBeLessThan(3_000);
});

it("A90 limits the cost of invalid and of empty messages", async () => {
  const empty = Buffer.from("Content-Length: 0\r\n\r\n".repeat(10_000));
  const first = await joined();
  first.saysBytes(empty);
  expect([first.closed(), first.killed()]).toEqual([CLOSED.refused, 1]);
  const second = await joined();
  second.saysBytes(Buffer.alloc(10_000, "x"));
  second.saysBytes(Buffer.alloc(10_000, "x"));
  expect([second.closed(), second.killed()]).toEqual([CLOSED.refused, 1]);
});

it("A90 answers a request for a million settings briefly", async () => {
  const { says, bytesWritten, closed } = await joined();
  says({ id: 1, method: "workspace/configuration", params: { items: Array(1_000_000).fill(1) } });
  expect(bytesWritten()).toBeLessThan(10_000);
  expect(closed()).toBeUndefined();
});

it("forwards all requested answers, and diagnostics at a bearable rate", async () => {
  const { says, asks, later, sent, closed } = await joined();
  for (let id = 0; id < 5_000; id++) {
    asks({ id, method: "textDocument/hover", params: {} });
    says({ id, result: null });
  }
  for (let second = 0; second < 60; second++, later(1_000))
    for (let index = 0; index < 150; index++)
      says({ method: "textDocument/publishDiagnostics", params: {} });
  expect(closed()).toBeUndefined();
  expect(sent).toHaveLength(1 + 5_000 + 60 * 150);
});

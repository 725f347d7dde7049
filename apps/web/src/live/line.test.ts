import { afterEach, beforeEach, expect, it, vi } from "vitest";

class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = 0;
  constructor() {
    super();
    FakeSocket.made.push(this);
  }
  close(): void {}
}

const PATHS = { socket: "/socket", events: "/events", input: "/input" };
/** The server's event stream, and the messages posted to it. */
let stream: TransformStream<string, string>;
let posted: string[][];
let answer: number;

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  FakeSocket.made = [];
  stream = new TransformStream<string, string>();
  posted = [];
  answer = 200;
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", new URL("http://localhost:4173/p/x"));
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    if (path === "/input") {
      posted.push((JSON.parse(init.body as string) as { messages: string[] }).messages);
      return Response.json({ ok: true });
    }
    if (answer !== 200)
      return Response.json({ error: { code: "x", message: "gone" } }, { status: answer });
    const body = stream.readable.pipeThrough(new TextEncoderStream());
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function open() {
  await import("../words/english.test-support.ts");
  const { openLine } = await import("./line.ts");
  const received: string[] = [];
  const line = openLine(PATHS, {
    onOpen: () => received.push("open"),
    onAlive: () => {},
    onMessage: (message) => received.push(message),
    onEnd: (failure) => received.push(`end ${failure?.status}`),
  });
  return { line, heard: received };
}
const refuse = () => FakeSocket.made.at(-1)!.dispatchEvent(new Event("close"));
const settle = async () => {
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(0);
};

it("after a refused handshake uses server-sent events, and sends what was typed meanwhile", async () => {
  const { line, heard } = await open();
  refuse();
  line.send("typed");
  const writer = stream.writable.getWriter();
  await settle();
  await writer.write('event: joined\ndata: {"key":"k"}\n\nevent: message\ndata: one\n\n');
  await settle();
  expect(heard).toEqual(["open", "one"]);
  expect(posted).toEqual([["typed"]]);
  // The page's next connection does not retry a transport that failed.
  await open();
  expect(FakeSocket.made).toHaveLength(1);
});

it("gives up a handshake without an answer", async () => {
  const { heard } = await open();
  await vi.advanceTimersByTimeAsync(5_000);
  await settle();
  expect(heard).toEqual(["open"]);
});

it("ends when an open socket breaks, and the next connection tries a socket again", async () => {
  const { heard } = await open();
  FakeSocket.made[0]!.dispatchEvent(new Event("open"));
  await vi.advanceTimersByTimeAsync(60_000);
  refuse();
  refuse();
  expect(heard).toEqual(["open", "end undefined"]);
  await open();
  expect(FakeSocket.made).toHaveLength(2);
});

it("reports the server's reason if it refuses both", async () => {
  answer = 404;
  const { heard } = await open();
  refuse();
  await settle();
  expect(heard).toEqual(["end 404"]);
});

it("reports nothing more after being closed, over either transport", async () => {
  const { line, heard } = await open();
  refuse();
  line.close();
  await settle();
  expect(heard).toEqual([]);
});

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLiveProject } from "./project-store.ts";

class FakeSocket extends EventTarget {
  static made: FakeSocket[] = [];
  constructor() {
    super();
    FakeSocket.made.push(this);
  }
  close(): void {}
}

const answers: number[] = [];
const windowEvents = new EventTarget();

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.made = [];
  answers.length = 0;
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", new URL("http://localhost:4173/p/x"));
  vi.stubGlobal("addEventListener", windowEvents.addEventListener.bind(windowEvents));
  vi.stubGlobal("removeEventListener", windowEvents.removeEventListener.bind(windowEvents));
  vi.stubGlobal("fetch", async () => {
    const status = answers.shift();
    if (status === undefined) throw new TypeError("no line");
    return Response.json({ error: { code: "x", message: `said ${status}` } }, { status });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Fails the newest handshake; resolves when its consequences have settled. */
async function refuse(): Promise<void> {
  FakeSocket.made.at(-1)?.dispatchEvent(new Event("close"));
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(0);
}

it("shows the newest turns of a long log before all of it was read, separately from the rest", async () => {
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run, 16));
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  const live = createLiveProject("x");
  const stop = live.start();
  const socket = FakeSocket.made[0]!;
  const receive = (message: unknown) =>
    socket.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  const messageEvent = (seq: number) => ({
    seq,
    at: seq,
    event: { type: "message", message: `m${seq}`, role: "user", text: "x", queued: false },
  });
  socket.dispatchEvent(new Event("open"));
  receive({ latest: [messageEvent(8), messageEvent(9)] });
  expect(live.store.getState().loaded).toBe(false);
  expect(live.store.getState().view.seq).toBe(0);
  expect(live.store.getState().latest?.turns.map(({ message }) => message)).toEqual(["m8", "m9"]);
  receive([1, 2, 3, 4, 5, 6, 7, 8, 9].map(messageEvent));
  await vi.advanceTimersByTimeAsync(200);
  expect(live.store.getState()).toMatchObject({ loaded: true, latest: undefined });
  expect(live.store.getState().view.turns).toHaveLength(9);
  stop();
});

it("keeps showing the newest turns until a slow long log has been read up to them", async () => {
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run, 16));
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  const live = createLiveProject("x");
  const stop = live.start();
  const socket = FakeSocket.made[0]!;
  const receive = (message: unknown) =>
    socket.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  const messageEvent = (seq: number) => ({
    seq,
    at: seq,
    event: { type: "message", message: `m${seq}`, role: "user", text: "x", queued: false },
  });
  const from = (first: number, amount: number) =>
    Array.from({ length: amount }, (_, index) => messageEvent(first + index));
  socket.dispatchEvent(new Event("open"));
  receive({ latest: [messageEvent(399), messageEvent(400)] });
  for (let page = 0; page < 3; page++) {
    receive(from(1 + page * 100, 100));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(live.store.getState()).toMatchObject({ loaded: false, latest: { seq: 400 } });
  }
  receive(from(301, 100));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(live.store.getState()).toMatchObject({ loaded: true, latest: undefined });
  expect(live.store.getState().view.turns).toHaveLength(400);
  stop();
});

it("reports a deleted project, and shows it again when it is restored", async () => {
  const live = createLiveProject("x");
  const stop = live.start();
  FakeSocket.made[0]?.dispatchEvent(new Event("open"));
  await refuse();
  expect(live.store.getState().connection).toBe("lost");
  await vi.advanceTimersByTimeAsync(1000);
  answers.push(404);
  await refuse();
  expect(live.store.getState()).toMatchObject({ connection: "refused", refused: { status: 404 } });
  await vi.advanceTimersByTimeAsync(2000);
  expect(FakeSocket.made).toHaveLength(3);
  FakeSocket.made[2]?.dispatchEvent(new Event("open"));
  expect(live.store.getState()).toMatchObject({ connection: "live", refused: undefined });
  stop();
});

it("says that the page is not signed in, and continues when someone returns to it", async () => {
  const live = createLiveProject("x");
  const stop = live.start();
  answers.push(401);
  await refuse();
  expect(live.store.getState().refused?.message).toBe("said 401");
  windowEvents.dispatchEvent(new Event("focus"));
  expect(FakeSocket.made).toHaveLength(2);
  FakeSocket.made[1]?.dispatchEvent(new Event("open"));
  expect(live.store.getState()).toMatchObject({ connection: "live", refused: undefined });
  stop();
});

it("asks a server that does not answer again and again", async () => {
  const live = createLiveProject("x");
  const stop = live.start();
  await refuse();
  expect(live.store.getState().connection).toBe("lost");
  await vi.advanceTimersByTimeAsync(1000);
  answers.push(503);
  await refuse();
  expect(live.store.getState().connection).toBe("lost");
  await vi.advanceTimersByTimeAsync(2000);
  expect(FakeSocket.made).toHaveLength(3);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeSocket.made).toHaveLength(3);
});

it("draws a slow long log occasionally while reading it, and immediately at its end", async () => {
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run, 16));
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  const live = createLiveProject("x");
  const stop = live.start();
  const [socket] = FakeSocket.made;
  socket?.dispatchEvent(new Event("open"));
  let drawn = 0;
  live.store.subscribe(({ view }, before) => {
    if (view !== before.view) drawn++;
  });
  let seq = 0;
  const send = (amount: number) => {
    const entries = Array.from({ length: amount }, () => ({
      seq: ++seq,
      at: seq,
      event: { type: "project-renamed", name: `name ${seq}` },
    }));
    socket?.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(entries) }));
  };
  for (let page = 0; page < 20; page++) {
    send(100);
    await vi.advanceTimersByTimeAsync(200);
  }
  expect(drawn).toBeGreaterThan(0);
  expect(drawn).toBeLessThan(6);
  send(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(live.store.getState().view).toMatchObject({ seq: 2001, name: "name 2001" });
  const before = drawn;
  send(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(drawn).toBe(before + 1);
  stop();
});

it("a network that goes is said at once, and one that comes back is not waited for; a server on this machine needs none", async () => {
  const dispatch = (what: "offline" | "online") => windowEvents.dispatchEvent(new Event(what));
  for (const host of ["localhost", "127.0.0.1", "[::1]", "treadle.localhost"]) {
    vi.stubGlobal("location", new URL(`http://${host}:4173/p/x`));
    const here = createLiveProject("x");
    const stop = here.start();
    FakeSocket.made.at(-1)!.dispatchEvent(new Event("open"));
    dispatch("offline");
    expect(here.store.getState().connection, host).toBe("live");
    stop();
  }
  vi.stubGlobal("location", new URL("http://192.168.1.20:4173/p/x"));
  const live = createLiveProject("x");
  const stop = live.start();
  FakeSocket.made.at(-1)!.dispatchEvent(new Event("open"));
  dispatch("offline");
  expect(live.store.getState().connection).toBe("lost");
  for (let tries = 0; tries < 5; tries++) {
    await vi.advanceTimersByTimeAsync(15_000);
    await refuse();
  }
  expect(live.store.getState().connection).toBe("lost");
  const before = FakeSocket.made.length;
  dispatch("online");
  expect(FakeSocket.made).toHaveLength(before + 1);
  FakeSocket.made.at(-1)!.dispatchEvent(new Event("open"));
  expect(live.store.getState().connection).toBe("live");
  await vi.advanceTimersByTimeAsync(20_000);
  expect(FakeSocket.made).toHaveLength(before + 1);
  stop();
  dispatch("offline");
  dispatch("online");
  expect(FakeSocket.made).toHaveLength(before + 1);
});

import type { LogEvent } from "@treadle/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NO_USAGE } from "../fold/log.test-support.ts";
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

/** The newest handshake fails; resolves when what follows has settled. */
async function refuse(): Promise<void> {
  FakeSocket.made.at(-1)?.dispatchEvent(new Event("close"));
  await vi.advanceTimersByTimeAsync(0);
}

it("a project that is gone is said to be gone, and not asked for again", async () => {
  const live = createLiveProject("x");
  const stop = live.start();
  FakeSocket.made[0]?.dispatchEvent(new Event("open"));
  await refuse();
  expect(live.store.getState().connection).toBe("lost");
  await vi.advanceTimersByTimeAsync(1000);
  answers.push(404);
  await refuse();
  expect(live.store.getState()).toMatchObject({ connection: "refused", refused: { status: 404 } });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(FakeSocket.made).toHaveLength(2);
  stop();
});

it("a page that is not signed in says so, and goes on when somebody comes back to it", async () => {
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

it("a server that does not answer, or cannot now, is asked again and again", async () => {
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

describe("what has been", () => {
  const entry = (seq: number, event: LogEvent) => ({ seq, at: seq, event });
  const begun = entry(1, {
    type: "run-start",
    run: "r",
    message: "m",
    model: "x:y",
    dialect: "native",
  });
  const over = entry(2, {
    type: "run-end",
    run: "r",
    outcome: "done",
    summary: "",
    revision: "v1",
    steps: 1,
    usage: NO_USAGE,
    ms: 1,
  });
  const tell = async (data: unknown) => {
    FakeSocket.made
      .at(-1)
      ?.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(data) }));
    await vi.advanceTimersByTimeAsync(500);
  };
  const started = () => {
    vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run, 16));
    vi.stubGlobal("cancelAnimationFrame", clearTimeout);
    const live = createLiveProject("x");
    const shown: (string | undefined)[] = [];
    live.store.subscribe(({ view, loaded }) => loaded && shown.push(view.run));
    const stop = live.start();
    FakeSocket.made[0]?.dispatchEvent(new Event("open"));
    return { live, shown, stop };
  };

  it("is not shown as what goes on, however the log comes in pieces", async () => {
    const { live, shown, stop } = started();
    await tell({ head: 2 });
    await tell([begun]);
    expect(live.store.getState().loaded).toBe(false);
    await tell([over]);
    expect(live.store.getState()).toMatchObject({ loaded: true, view: { seq: 2 } });
    await tell([{ ...begun, seq: 3 }]);
    expect(live.store.getState().view.run).toBe("r");
    expect(shown).toEqual([undefined, "r"]);
    stop();
  });

  it("is shown at once where there is nothing, and in the end where its end does not come", async () => {
    const none = started();
    await tell({ head: 0 });
    expect(none.live.store.getState().loaded).toBe(true);
    none.stop();
    FakeSocket.made = [];
    const cut = started();
    await tell({ head: 9 });
    await tell([begun]);
    expect(cut.live.store.getState().loaded).toBe(false);
    await vi.advanceTimersByTimeAsync(3000);
    expect(cut.live.store.getState()).toMatchObject({ loaded: true, view: { seq: 1 } });
    cut.stop();
  });
});

it("a line that the browser has lost is said to be lost where the server does not answer either", async () => {
  const live = createLiveProject("x");
  const stop = live.start();
  FakeSocket.made[0]?.dispatchEvent(new Event("open"));
  answers.push(200);
  windowEvents.dispatchEvent(new Event("offline"));
  await vi.advanceTimersByTimeAsync(0);
  expect(live.store.getState().connection).toBe("live");
  windowEvents.dispatchEvent(new Event("offline"));
  await vi.advanceTimersByTimeAsync(0);
  expect(live.store.getState().connection).toBe("lost");
  windowEvents.dispatchEvent(new Event("online"));
  expect(FakeSocket.made).toHaveLength(2);
  FakeSocket.made[1]?.dispatchEvent(new Event("open"));
  expect(live.store.getState().connection).toBe("live");
  stop();
});

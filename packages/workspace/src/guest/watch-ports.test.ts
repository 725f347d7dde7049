import { expect, it, vi } from "vitest";
import type { ListeningPort } from "../wire/messages.ts";
import { watchPorts } from "./watch-ports.ts";

const families = () => [{ id: "p1", pids: [7] }] as never;

it("lists sockets only when their number changes", async () => {
  let used: string | undefined = "1 0";
  let sockets = [{ port: 4000, inode: "1" }];
  let looks = 0;
  const reported: ListeningPort[][] = [];
  const watch = watchPorts({
    processes: { families, list: () => [] },
    own: [4000],
    onPorts: (ports) => reported.push(ports),
    asks: {
      inUse: vi.fn(() => used),
      listening: () => (looks++, sockets),
      owners: () => new Map([["2", 7]]),
    },
  });
  await expect.poll(() => looks).toBe(1);
  used = "2 0";
  sockets = [...sockets, { port: 5173, inode: "2" }];
  await expect.poll(() => reported).toEqual([[{ port: 5173, process: "p1" }]]);
  expect(looks).toBe(2);
  // One socket is replaced by another, so that the number stays the same.
  sockets = [
    { port: 4000, inode: "1" },
    { port: 5174, inode: "3" },
  ];
  await expect.poll(() => reported.at(-1)).toEqual([{ port: 5174 }]);
  expect(looks).toBe(3);
  // If the kernel does not report the number, sockets are listed each time.
  used = undefined;
  await expect.poll(() => looks).toBeGreaterThan(5);
  watch.close();
});

it("looks repeatedly after a command was started, because it may take another's port", async () => {
  let commands = [{ id: "p1" }];
  let sockets = [{ port: 5173, inode: "1" }];
  const reported: ListeningPort[][] = [];
  const watch = watchPorts({
    processes: { families, list: () => commands as never },
    own: [],
    onPorts: (ports) => reported.push(ports),
    asks: { inUse: () => "1 0", listening: () => sockets, owners: () => new Map() },
  });
  await expect.poll(() => reported).toEqual([[{ port: 5173 }]]);
  commands = [{ id: "p2" }];
  sockets = [{ port: 5174, inode: "2" }];
  // Two more looks, in less than the usual interval.
  await expect.poll(() => reported.at(-1)).toEqual([{ port: 5174 }]);
  sockets = [{ port: 5175, inode: "3" }];
  await expect.poll(() => reported.at(-1)).toEqual([{ port: 5175 }]);
  watch.close();
});

it("reports that the last port was closed, though its owner was never known", async () => {
  let sockets = [{ port: 4567, inode: "1" }];
  const reported: ListeningPort[][] = [];
  const watch = watchPorts({
    processes: { families, list: () => [{ id: "p1" }] as never },
    own: [],
    onPorts: (ports) => reported.push(ports),
    asks: { inUse: () => "1 0", listening: () => sockets, owners: () => new Map() },
  });
  await expect.poll(() => reported).toEqual([[{ port: 4567 }]]);
  sockets = [];
  await expect.poll(() => reported.at(-1)).toEqual([]);
  watch.close();
});

it("reports the owner of a port once it is known, after a command was started", async () => {
  let owners = new Map<string, number>();
  const reported: ListeningPort[][] = [];
  const watch = watchPorts({
    processes: { families, list: () => [{ id: "p1" }] as never },
    own: [],
    onPorts: (ports) => reported.push(ports),
    asks: {
      inUse: () => "1 0",
      listening: () => [{ port: 5173, inode: "1" }],
      owners: () => owners,
    },
  });
  await expect.poll(() => reported).toEqual([[{ port: 5173 }]]);
  owners = new Map([["1", 7]]);
  await expect.poll(() => reported.at(-1)).toEqual([{ port: 5173, process: "p1" }]);
  watch.close();
});

it("looks seldom while nothing is going on, and often as soon as something is", async () => {
  vi.useFakeTimers();
  let looks = 0;
  const watch = watchPorts({
    processes: { families, list: () => [] },
    own: [],
    onPorts: () => {},
    asks: { inUse: () => (looks++, "0 0"), listening: () => [], owners: () => new Map() },
  });
  const looksWithin = (ms: number) => {
    looks = 0;
    vi.advanceTimersByTime(ms);
    return looks;
  };
  try {
    expect(looksWithin(1_000)).toBeGreaterThan(10);
    looksWithin(5_000);
    expect(looksWithin(10_000)).toBeLessThanOrEqual(20);
    watch.stir();
    expect(looksWithin(1_000)).toBeGreaterThan(10);
  } finally {
    watch.close();
    vi.useRealTimers();
  }
});

it("looks again soon after a look that waited for a processor", async () => {
  const hold = new Int32Array(new SharedArrayBuffer(4));
  let sockets = [{ port: 5173, inode: "1" }];
  const reported: ListeningPort[][] = [];
  const watch = watchPorts({
    processes: { families, list: () => [] },
    own: [],
    onPorts: (ports) => reported.push(ports),
    asks: {
      inUse: () => String(sockets.length),
      listening() {
        if (reported.length === 0) Atomics.wait(hold, 0, 0, 1_500);
        return sockets;
      },
      owners: () => new Map([["1", 7]]),
    },
  });
  await expect.poll(() => reported).toEqual([[{ port: 5173, process: "p1" }]]);
  sockets = [];
  await expect.poll(() => reported.at(-1), { timeout: 15_000 }).toEqual([]);
  watch.close();
});

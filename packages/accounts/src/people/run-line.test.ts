import { expect, it, vi } from "vitest";
import { createRunLine } from "./run-line.ts";

/** A line in which runs begin and end at command, and the order in which they began. */
function createLine(limits: { runs?: number; runsPerPerson?: number }) {
  const line = createRunLine(async () => limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const stops = new Map<string, AbortController>();
  return {
    line,
    begun,
    limits,
    settle,
    async request(run: string) {
      const controller = new AbortController();
      stops.set(run, controller);
      line.enter(run[0]!, run, controller.signal).then(
        (leave) => {
          begun.push(run);
          ends.set(run, leave);
        },
        () => begun.push(`${run} left`),
      );
      await settle();
    },
    async end(run: string) {
      ends.get(run)!();
      await settle();
    },
    async stop(run: string) {
      stops.get(run)!.abort(new Error("Stopped"));
      await settle();
    },
  };
}

it("lets everybody begin while there is room", async () => {
  const { request, begun } = createLine({});
  for (const run of ["a1", "a2", "b1"]) await request(run);
  expect(begun).toEqual(["a1", "a2", "b1"]);
});

it("one person's ten runs do not keep another person's one waiting", async () => {
  const { request, end, begun, line } = createLine({ runs: 2 });
  for (let count = 0; count < 10; count++) await request(`a${count}`);
  await request("b0");
  expect(begun).toEqual(["a0", "a1"]);
  expect([line.positionOf("b0"), line.positionOf("a2"), line.positionOf("a3")]).toEqual([1, 2, 3]);
  await end("a0");
  expect(begun.at(-1)).toBe("b0");
  expect(line.positionOf("b0")).toBeUndefined();
});

it("takes turns among people of whom each has many", async () => {
  const { request, end, begun } = createLine({ runs: 1 });
  for (const run of ["a1", "a2", "a3", "b1", "b2", "c1"]) await request(run);
  for (let turn = 0; turn < 5; turn++) await end(begun.at(-1)!);
  expect(begun).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

it("keeps to the limit of a person also while the server has room, and follows a change of it", async () => {
  const { request, begun, limits, line, settle } = createLine({ runs: 9, runsPerPerson: 1 });
  for (const run of ["a1", "a2", "b1"]) await request(run);
  expect(begun).toEqual(["a1", "b1"]);
  limits.runsPerPerson = 2;
  await line.limitsChanged();
  await settle();
  expect(begun).toEqual(["a1", "b1", "a2"]);
});

it("whoever leaves the line makes room in it, and a place is given back once", async () => {
  const { request, stop, end, begun, line } = createLine({ runs: 1 });
  for (const run of ["a1", "b1", "c1"]) await request(run);
  expect(line.positionOf("c1")).toBe(2);
  await stop("b1");
  expect(line.positionOf("c1")).toBe(1);
  await end("a1");
  await end("a1");
  expect(begun).toEqual(["a1", "b1 left", "c1"]);
  await request("d1");
  expect(line.positionOf("d1")).toBe(1);
});

it("lets a run wait in line until there is room for its sandbox, and others pass it meanwhile", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const full = new Set(["a1", "a2"]);
    const asked: string[][] = [];
    const line = createRunLine(
      async () => ({}),
      async (project, active) => {
        asked.push(active);
        return !full.has(project);
      },
    );
    const begun: string[] = [];
    const stops = new AbortController();
    for (const project of ["a1", "a2", "b1"])
      line.enter(project[0]!, project, stops.signal).then(
        () => begun.push(project),
        () => begun.push(`${project} left`),
      );
    await vi.advanceTimersByTimeAsync(10);
    expect(begun).toEqual(["b1"]);
    expect([line.positionOf("a1"), line.positionOf("a2")]).toEqual([1, 2]);
    full.delete("a1");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(begun).toEqual(["b1", "a1"]);
    expect(line.positionOf("a2")).toBe(1);
    expect(asked.at(-1)).toEqual(["b1", "a1"]);
    stops.abort(new Error("Stopped"));
    await vi.advanceTimersByTimeAsync(10);
    expect(begun.at(-1)).toBe("a2 left");
  } finally {
    vi.useRealTimers();
  }
});

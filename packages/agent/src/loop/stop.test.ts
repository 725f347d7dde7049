import { describe, expect, it } from "vitest";
import { orderProblems } from "../testing/check-order.test-support.ts";
import { createFakeClock } from "../testing/fake-clock.test-support.ts";
import { answer, call, scriptedModel, streamOf } from "../testing/scripted-model.test-support.ts";
import { htmlWorkspace, ofType, tryRun } from "../testing/try-run.test-support.ts";
import { deadline } from "../budget/budget.ts";

const build = () =>
  scriptedModel(
    answer(
      "I write.",
      call("write_file", { path: "index.html", content: "<h1>hi</h1>" }),
      call("run_command", { command: "npm test" }),
    ),
    answer("Done."),
  );

describe("Stop", () => {
  it("ends the run at once, wherever it is, with one run-end and nothing after it (F28)", async () => {
    const uncut = await tryRun(build());
    expect(uncut.result.outcome).toBe("done");
    for (let at = 0; at < uncut.events.length - 1; at++) {
      const stop = new AbortController();
      let count = 0;
      const { result, events, workspace } = await tryRun(build(), {
        signal: stop.signal,
        onEvent() {
          if (count++ === at) stop.abort();
        },
      });
      expect(orderProblems(events)).toEqual([]);
      expect(result.outcome).toBe("stopped");
      const changed = workspace.text("index.html") !== undefined;
      const seen = ofType(events, "evidence").at(-1)?.evidence;
      const verdict = ofType(events, "run-end")[0]?.verdict;
      if (!changed) expect(verdict).toBeUndefined();
      else if (!seen) expect(verdict).toBe("unverified");
      expect(workspace.running).toBe(0);
    }
  });

  it("stops a command that would never exit, and interrupts the call", async () => {
    const stop = new AbortController();
    const workspace = htmlWorkspace({
      command: (command) => (command === "sleep inf" ? { hangs: true } : undefined),
    });
    const { result, events } = await tryRun(
      scriptedModel(
        answer(
          "",
          call("run_command", { command: "sleep inf" }),
          call("run_command", { command: "ls" }),
        ),
      ),
      {
        workspace,
        signal: stop.signal,
        onEvent: ({ type }) => type === "call-start" && queueMicrotask(() => stop.abort()),
      },
    );
    expect(result.outcome).toBe("stopped");
    expect(ofType(events, "call-end").every(({ status }) => status === "interrupted")).toBe(true);
    expect(workspace.running).toBe(0);
    expect(workspace.commands).toEqual(["sleep inf"]);
  });

  it("does not wait for a model that ignores the abort", async () => {
    const stop = new AbortController();
    const { result, events, saved } = await tryRun(
      scriptedModel(() => streamOf(answer("Some words").slice(0, 3), "hang")),
      { signal: stop.signal, onEvent: ({ type }) => type === "text" && stop.abort() },
    );
    expect(result.outcome).toBe("stopped");
    expect(orderProblems(events)).toEqual([]);
    expect(saved.at(-1)?.parts.some(({ type }) => type === "text")).toBe(true);
  });

  it("works before the run has begun", async () => {
    const { result, events } = await tryRun(build(), { signal: AbortSignal.abort() });
    expect(result.outcome).toBe("stopped");
    expect(events.map(({ type }) => type)).toEqual(["run-start", "run-end"]);
  });

  it("does not wait for a workspace that does not respond", async () => {
    const stop = new AbortController();
    const workspace = htmlWorkspace();
    const never = () => new Promise<never>(() => {});
    const { result } = await tryRun(build(), {
      workspace: Object.assign(workspace, {
        checkpoint: () => {
          stop.abort();
          return never();
        },
        revision: never,
      }),
      signal: stop.signal,
    });
    expect(result.outcome).toBe("stopped");
  });
});

it("ends the run as a budget when the time limit is reached", async () => {
  const clock = createFakeClock();
  const { result, events } = await tryRun(
    scriptedModel(() => streamOf(answer("Some words").slice(0, 3), "hang")),
    {
      clock,
      limits: { ms: 300_000, modelIdleMs: 900_000 },
      onEvent: ({ type }) => type === "text" && clock.advance(300_000),
    },
  );
  expect(result.outcome).toBe("budget");
  expect(ofType(events, "run-end")[0]?.error).toMatchObject({
    code: "budget",
    message: "Stopped after 5 minutes: that is the limit.",
  });
});

it.each([
  [3_000, "3 seconds"],
  [60_000, "1 minute"],
  [90_000, "1.5 minutes"],
])("a time limit of %i ms is described as %s", (ms, words) => {
  expect(deadline(ms).message).toBe(`Stopped after ${words}: that is the limit.`);
});

it("ends the run with an error if the log cannot be written, and runs nothing more", async () => {
  const { result, events, workspace } = await tryRun(build(), {
    ports: {
      log: (() => {
        const bodies: unknown[] = [];
        return {
          append: (event) => void bodies.push(event),
          settled: () =>
            bodies.length > 4 ? Promise.reject(new Error("The disk is full.")) : Promise.resolve(),
        };
      })(),
    },
  });
  expect(result).toMatchObject({
    outcome: "error",
    summary: expect.stringContaining("The disk is full") as string,
  });
  expect(events).toEqual([]);
  expect(workspace.commands).toEqual([]);
});

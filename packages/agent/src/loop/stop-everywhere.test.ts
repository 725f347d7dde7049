import { expect, it } from "vitest";
import { orderProblems } from "../testing/check-order.test-support.ts";
import { createFakeClock } from "../testing/fake-clock.test-support.ts";
import { answer, call, scriptedModel } from "../testing/scripted-model.test-support.ts";
import { GOOD_PAGE, htmlWorkspace, ofType, tryRun } from "../testing/try-run.test-support.ts";

const html = (content: string) => call("write_file", { path: "index.html", content });
const build = () =>
  scriptedModel(
    answer("I write.", html("<h1>broken</h1>"), call("run_command", { command: "npm test" })),
    answer("", call("read_build_result", {}), call("start_server", { command: "treadle-serve" })),
    answer("Done."),
    answer("Mended.", html("<h1>good</h1>")),
    answer("Done."),
  );

/** Wraps an object so that each method call goes through `on` first. */
function watched<T extends object>(target: T, on: () => Promise<void> | undefined): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name, object);
      if (name === "files") return watched(value as object, on);
      if (typeof value !== "function" || SILENT.has(String(name))) return value;
      return (...args: unknown[]) => {
        const held = on();
        const going = () => Reflect.apply(value, object, args) as unknown;
        return held ? held.then(going) : going();
      };
    },
  });
}

/** Synchronous methods that nobody awaits. */
const SILENT = new Set(["now", "append", "wrote", "listen", "text", "put", "warm", "configure"]);

/**
 * Runs a turn with a repair, and stops it at its n-th port call.
 * @param hangs whether that call never resolves
 */
async function stopAt(at: number, hangs: boolean) {
  const stop = new AbortController();
  let calls = 0;
  const on = () => {
    if (calls++ !== at) return undefined;
    stop.abort();
    return hangs ? new Promise<void>(() => {}) : undefined;
  };
  const workspace = htmlWorkspace();
  const browser = {
    look: async ({ path }: { path: string }) => ({
      ...GOOD_PAGE,
      path,
      rendered: !workspace.text("index.html")?.includes("broken"),
    }),
  };
  const clock = createFakeClock();
  const tried = await tryRun(build(), {
    workspace,
    clock,
    signal: stop.signal,
    ports: {
      workspace: watched(workspace, on),
      browser: watched(browser, on),
      save: async () => void (await on()),
    },
  });
  return { ...tried, calls, workspace };
}

it("F28 a run that is stopped at any of its awaits ends once and leaves nothing running", async () => {
  const uncut = await stopAt(-1, false);
  expect(uncut.result).toMatchObject({ outcome: "done", verdict: "runs" });
  expect(ofType(uncut.events, "repair")).toHaveLength(1);
  expect(uncut.calls).toBeGreaterThan(40);
  // Ending a run makes a few calls itself, on which a stop has no further effect.
  const ending = new Set<string>();
  for (let at = 0; at < uncut.calls; at++)
    for (const hangs of [false, true]) {
      const { result, events, workspace } = await stopAt(at, hangs);
      const where = `${hangs ? "hanging" : "answered"} call ${at} of ${uncut.calls}`;
      expect(orderProblems(events), where).toEqual([]);
      expect(ofType(events, "run-end"), where).toHaveLength(1);
      expect(workspace.running, where).toBe(0);
      if (result.outcome !== "stopped") ending.add(`${at}`);
    }
  expect(ending.size).toBeLessThanOrEqual(3);
});

import { expect, it } from "vitest";
import { answer, call, scriptedModel } from "../testing/scripted-model.test-support.ts";
import { GOOD_PAGE, htmlWorkspace, ofType, tryRun } from "../testing/try-run.test-support.ts";
import type { BeginLook } from "./look-at-project.ts";

const page = call("write_file", { path: "index.html", content: "<h1>Todo</h1>" });

/** A run in which the person stops the look as soon as the page is opened. */
function stopAtPage() {
  const look = new AbortController();
  const ended: string[] = [];
  const beginLook: BeginLook = () => ({ signal: look.signal, end: () => void ended.push("look") });
  const browser = {
    look: async ({ path }: { path: string }) => {
      look.abort();
      return { ...GOOD_PAGE, path };
    },
  };
  return { ended, ports: { browser, beginLook } };
}

it("ends the look and not the work: the turn is done, and what was seen until then is known", async () => {
  const { ended, ports } = stopAtPage();
  const model = scriptedModel(answer("", page, call("finish", { done: "It is there." })));
  const { result, events } = await tryRun(model, {
    workspace: htmlWorkspace(),
    ports,
    request: { thorough: true },
  });
  expect(result).toMatchObject({ outcome: "done", verdict: "unverified", steps: 1 });
  const { parts } = ofType(events, "evidence").at(-1)!.evidence;
  expect(parts.serve.state).toBe("held");
  expect([parts.page.state, parts.console.state]).toEqual(["untried", "untried"]);
  expect(ended).toEqual(["look"]);
});

it("stopping the run while it looks ends the run", async () => {
  const stop = new AbortController();
  const browser = {
    look: async ({ path }: { path: string }) => {
      stop.abort(new DOMException("Stopped.", "AbortError"));
      return { ...GOOD_PAGE, path };
    },
  };
  const beginLook: BeginLook = () => ({ signal: new AbortController().signal, end() {} });
  const model = scriptedModel(answer("", page, call("finish", { done: "It is there." })));
  const { result } = await tryRun(model, {
    workspace: htmlWorkspace(),
    ports: { browser, beginLook },
    request: { signal: stop.signal },
  });
  expect(result.outcome).toBe("stopped");
});

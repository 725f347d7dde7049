import { expect, it } from "vitest";
import { answer, call, scriptedModel, toldText } from "../testing/scripted-model.test-support.ts";
import { htmlWorkspace, ofType, tryRun } from "../testing/try-run.test-support.ts";

const page = (heading: string) =>
  call("write_file", { path: "index.html", content: `<h1>${heading}</h1>` });
const serve = call("start_server", { command: "node server.js" });
const end = (done: string) => call("finish", { done, try: "Open it.", name: "Aufgaben" });

it("finish ends the turn without another answer, and its text accompanies the verdict", async () => {
  const { result, events } = await tryRun(
    scriptedModel(answer("", page("Hi"), serve, end("A page."))),
  );
  expect(result).toMatchObject({ steps: 1, verdict: "runs" });
  expect(ofType(events, "run-end")[0]?.said).toEqual({
    done: "A page.",
    try: "Open it.",
    name: "Aufgaben",
  });
});

it("finish on a broken app is answered with the evidence, and text alone gets no verdict", async () => {
  let prompt = "";
  const throws = (text: string | undefined) =>
    text?.includes("Broken") ? [{ message: "TypeError: x is not a function" }] : [];
  const { result, events } = await tryRun(
    scriptedModel(answer("", page("Broken"), serve, end("It works.")), (asked) => {
      prompt = toldText(asked);
      return answer("", page("Whole"), end("It is mended."));
    }),
    { page: (workspace) => ({ uncaughtErrors: throws(workspace.text("index.html")) }) },
  );
  expect(prompt).toContain("x is not a function");
  expect(result).toMatchObject({ steps: 2, verdict: "runs" });
  expect(ofType(events, "repair")).toHaveLength(1);
  expect(ofType(events, "run-end")[0]?.said?.done).toBe("It is mended.");
});

it("finish without text after a repair keeps the text from before the repair", async () => {
  const throws = (text: string | undefined) =>
    text?.includes("Broken") ? [{ message: "TypeError: x is not a function" }] : [];
  const { events } = await tryRun(
    scriptedModel(
      answer("", page("Broken"), serve, end("A page.")),
      answer("", page("Whole"), call("finish", {})),
    ),
    { page: (workspace) => ({ uncaughtErrors: throws(workspace.text("index.html")) }) },
  );
  expect(ofType(events, "run-end")[0]?.said).toEqual({
    done: "A page.",
    try: "Open it.",
    name: "Aufgaben",
  });
});

it("finish beside a failed call does not end the turn, and the model is told which call failed", async () => {
  let prompt = "";
  const { result } = await tryRun(
    scriptedModel(answer("", call("read_file", { path: "gone.ts" }), end("Done.")), (asked) => {
      prompt = toldText(asked);
      return answer("", end("There was nothing to do."));
    }),
    { workspace: htmlWorkspace() },
  );
  expect(result.steps).toBe(2);
  expect(prompt).toMatch(/did not end: read_file/);
  expect(prompt).not.toMatch(/turn ends here/);
});

it("finish beside checks that cannot be read does not end the turn, and nothing is looked at until they can", async () => {
  let prompt = "";
  const checks = (steps: string) =>
    call("write_file", { path: ".treadle/checks.md", content: `## Greets\n${steps}\n` });
  const { result, events } = await tryRun(
    scriptedModel(
      answer("", page("Hi"), serve, checks("- juggle three balls"), end("Done.")),
      (asked) => {
        prompt = toldText(asked);
        return answer("", checks('- expect "Hi"'), end("Done."));
      },
    ),
  );
  expect(result.steps).toBe(2);
  expect(prompt).toContain("Your turn did not end");
  const types = events.map(({ type }) => type);
  expect(types.indexOf("evidence")).toBeGreaterThan(types.lastIndexOf("step-start"));
});

it("finish beside a command that only searched and found nothing ends the turn", async () => {
  const look = call("run_command", { command: "npm run build; grep -rn notes src" });
  const { result, events } = await tryRun(
    scriptedModel(answer("", page("Hi"), look, end("A page."))),
    {
      workspace: htmlWorkspace({
        command: (line) => (line.includes("grep") ? { code: 1 } : undefined),
      }),
    },
  );
  expect(result).toMatchObject({ steps: 1, outcome: "done" });
  expect(ofType(events, "run-end")[0]?.said?.done).toBe("A page.");
});

it("a turn whose only edit was refused says that nothing was changed, whatever the model claims", async () => {
  const edit = call("edit_file", { path: "index.html", edits: [{ old: "nowhere", new: "x" }] });
  const { result, events } = await tryRun(
    scriptedModel(answer("", edit), answer("", end("The heading is blue now."))),
    { workspace: htmlWorkspace() },
  );
  expect(result.outcome).toBe("done");
  expect(result.verdict).toBeUndefined();
  expect(result.summary).toMatch(/^Nothing was changed: did not .*index\.html/);
  expect(ofType(events, "run-end")[0]?.summary).toBe(result.summary);
});

it("a turn without changes that is observed anyway says so beside the evidence", async () => {
  const edit = call("edit_file", { path: "index.html", edits: [{ old: "nowhere", new: "x" }] });
  const { result } = await tryRun(scriptedModel(answer("", edit), answer("", end("Mended."))), {
    workspace: htmlWorkspace({ files: { "index.html": "<h1>x</h1>" } }),
    request: { look: true },
  });
  expect(result).toMatchObject({
    verdict: "runs",
    summary: expect.stringMatching(/^Runs: .*; nothing was changed in this turn\.$/),
  });
});

it("a turn that never calls finish ends with its last answer", async () => {
  const { events } = await tryRun(scriptedModel(answer("", page("Hi"), serve), answer("Done.")));
  expect(ofType(events, "run-end")[0]).toMatchObject({ verdict: "runs", steps: 2 });
  expect(ofType(events, "run-end")[0]?.said).toBeUndefined();
});

it("finish ends a planning turn, and its text is the plan", async () => {
  const { events } = await tryRun(scriptedModel(answer("", call("finish", { done: "A page." }))), {
    request: { mode: "plan" },
  });
  expect(ofType(events, "plan")[0]?.text).toBe("A page.");
  expect(ofType(events, "run-end")[0]?.verdict).toBeUndefined();
});

it("a model that only calls finish again gets a verdict, even if the failure's wording varies", async () => {
  let look = 0;
  const { result, events } = await tryRun(
    scriptedModel(
      answer("", page("Broken"), serve, end("It works.")),
      ...Array.from({ length: 8 }, () => answer("", end("It works."))),
    ),
    {
      page: () => ({
        uncaughtErrors: [
          { message: `Error: no answer of (node:${4_000 + ++look}) on port ${look}` },
        ],
      }),
    },
  );
  expect(result).toMatchObject({ outcome: "done", verdict: "failed" });
  expect(result.summary).toContain("nothing was changed after the failure was told");
  expect(ofType(events, "repair")).toHaveLength(2);
});

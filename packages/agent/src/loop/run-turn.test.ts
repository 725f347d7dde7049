import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { APICallError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { orderProblems } from "../testing/check-order.test-support.ts";
import { createFakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import {
  answer,
  call,
  finish,
  rawCall,
  textParts,
  scriptedModel,
  toldText,
} from "../testing/scripted-model.test-support.ts";
import { htmlWorkspace, ofType, tryRun } from "../testing/try-run.test-support.ts";

describe("a turn that builds a page", () => {
  const build = () =>
    scriptedModel(
      answer(
        "I make the page.",
        call("write_file", { path: "index.html", content: '<h1>"Hi" \\ there</h1>\n' }),
        call("start_server", { command: "treadle-serve" }),
      ),
      answer("There it is."),
    );

  it("ends verified, with every event in the log in order", async () => {
    const { result, events, workspace } = await tryRun(build());
    expect(orderProblems(events)).toEqual([]);
    expect(result).toMatchObject({ outcome: "done", verdict: "runs", steps: 2 });
    expect(result.summary).toContain("page rendered");
    expect(workspace.text("index.html")).toBe('<h1>"Hi" \\ there</h1>\n');
    expect(result.revision).toBe(result.evidence?.revision);
  });

  it("streams the decoded content with its path", async () => {
    const { events } = await tryRun(build());
    const deltas = ofType(events, "call-delta").filter(({ field }) => field === "content");
    expect(deltas.map(({ text }) => text).join("")).toBe('<h1>"Hi" \\ there</h1>\n');
    expect(deltas.every(({ path }) => path === "index.html")).toBe(true);
  });

  it("saves messages whose calls all have results, and a checkpoint of the changed files", async () => {
    const { events, saved } = await tryRun(build());
    const parts = saved.at(-1)?.parts ?? [];
    expect(parts.map(({ type }) => type)).toEqual([
      "step-start",
      "text",
      "tool-write_file",
      "tool-start_server",
      "step-start",
      "text",
    ]);
    expect(ofType(events, "checkpoint").map(({ label }) => label)).toEqual([
      "Before this turn",
      "Wrote index.html",
    ]);
  });

  it("names a checkpoint after the changes, not after the to-do list", async () => {
    const { events } = await tryRun(
      scriptedModel(
        answer(
          "",
          call("todo", { items: [{ text: "The page", status: "doing" }] }),
          call("write_file", { path: "index.html", content: "<h1>Hi</h1>" }),
        ),
        answer("There it is."),
      ),
    );
    expect(ofType(events, "checkpoint").at(-1)?.label).toBe("Wrote index.html");
  });

  it("counts the tokens and the cost", async () => {
    const { result } = await tryRun(build(), {
      model: { price: { input: 1, cachedInput: 0.1, cacheWrite: 1.25, output: 10 } },
    });
    expect(result.usage).toEqual({
      inputTokens: 200,
      cachedInputTokens: 80,
      outputTokens: 20,
      costUsd: expect.closeTo((120 * 1 + 80 * 0.1 + 20 * 10) / 1e6, 12) as number,
    });
  });
});

it("a turn that changed nothing has no verdict", async () => {
  const { result, events } = await tryRun(scriptedModel(answer("It is a todo app.")));
  expect(result.outcome).toBe("done");
  expect(result.verdict).toBeUndefined();
  expect(ofType(events, "evidence")).toEqual([]);
});

it("runs calls in the written order, each once it is complete, while later ones still stream", async () => {
  const order: string[] = [];
  const { events } = await tryRun(
    scriptedModel(
      answer(
        "",
        call("write_file", { path: "a.txt", content: "a" }),
        call("write_file", { path: "b.txt", content: "b".repeat(500) }, 5),
        call("run_command", { command: "cat a.txt b.txt" }),
      ),
    ),
    {
      onEvent(event) {
        if (event.type === "call-start" || event.type === "call-end" || event.type === "call-input")
          order.push(`${event.type} ${event.call}`);
      },
    },
  );
  expect(orderProblems(events)).toEqual([]);
  expect(order.indexOf("call-end r1.1")).toBeLessThan(order.indexOf("call-input r1.2"));
  expect(order.filter((entry) => entry.startsWith("call-start"))).toEqual([
    "call-start r1.1",
    "call-start r1.2",
    "call-start r1.3",
  ]);
});

it("answers a premature finish with the evidence, until the app works", async () => {
  let prompt = "";
  const { result, events } = await tryRun(
    scriptedModel(
      answer("", call("write_file", { path: "index.html", content: "" })),
      answer("All done!"),
      (asked) => {
        prompt = toldText(asked);
        return answer("", call("write_file", { path: "index.html", content: "<h1>now</h1>" }));
      },
      answer("Now it works."),
    ),
    { page: (workspace) => (workspace.text("index.html") ? {} : { rendered: false, text: "" }) },
  );
  expect(prompt).toContain("the page / is blank");
  expect(prompt).toContain("<build-result>");
  expect(ofType(events, "repair")).toEqual([
    { type: "repair", run: "r1", attempt: 1, limit: 4, reason: "the page / is blank" },
  ]);
  expect(result).toMatchObject({ outcome: "done", verdict: "runs" });
});

it("repairs a project whose package.json asks for react-doom", async () => {
  const manifest = (name: string) =>
    JSON.stringify({
      scripts: { dev: "vite", build: "vite build" },
      dependencies: { react: "^19.0.0", [name]: "^19.0.0" },
    });
  let prompt = "";
  const { result, events } = await tryRun(
    scriptedModel(
      answer("", call("write_file", { path: "package.json", content: manifest("react-doom") })),
      answer("Done."),
      (asked) => {
        prompt = toldText(asked);
        return answer(
          "A typo.",
          call("write_file", { path: "package.json", content: manifest("react-dom") }),
        );
      },
      answer("Repaired."),
    ),
  );
  expect(prompt).toContain("react-doom@*' is not in this registry");
  expect(result).toMatchObject({ verdict: "runs" });
  expect(result.evidence?.parts.build.state).toBe("held");
  expect(ofType(events, "repair")).toHaveLength(1);
  expect(orderProblems(events)).toEqual([]);
});

it("ends an unrepairable project as failed after a changed approach, and offers the best revision", async () => {
  const workspace = htmlWorkspace({ files: { "index.html": "<h1>works already</h1>" } });
  const { result, events } = await tryRun(
    scriptedModel(
      answer("", call("write_file", { path: "index.html", content: "broken 1" })),
      answer("Done."),
      answer("", call("write_file", { path: "index.html", content: "broken 2" })),
      answer("Done."),
      answer("", call("write_file", { path: "index.html", content: "broken 3" })),
      answer("Done."),
    ),
    {
      workspace,
      request: { lastVerdict: "runs" },
      page: (now) =>
        now.text("index.html")?.includes("broken")
          ? { uncaughtErrors: [{ message: "ReferenceError: x" }] }
          : {},
    },
  );
  expect(result).toMatchObject({ outcome: "done", verdict: "failed" });
  expect(ofType(events, "repair")).toHaveLength(2);
  const [end] = ofType(events, "run-end");
  expect(end?.best?.reason).toContain("verified");
  await workspace.restore(end?.best?.checkpoint ?? "");
  expect(workspace.text("index.html")).toBe("<h1>works already</h1>");
});

it("verifies an API by an answered request", async () => {
  const workspace = createFakeWorkspace({
    serve: () => (request, response) => {
      const found = request.url === "/api/todos";
      response.writeHead(found ? 200 : 404, {
        "content-type": found ? "application/json" : "text/html",
      });
      response.end(found ? "[]" : "Cannot GET /");
    },
  });
  const { result } = await tryRun(
    scriptedModel(
      answer(
        "",
        call("write_file", {
          path: "package.json",
          content: '{"scripts":{"start":"node server.js"}}',
        }),
        call("write_file", { path: "server.js", content: 'app.get("/api/todos", list)' }),
      ),
    ),
    { workspace },
  );
  expect(result.verdict).toBe("runs");
  expect(result.evidence?.parts.page.state).toBe("inapplicable");
  expect(result.evidence?.parts.serve.summary).toBe("GET /api/todos answered 200");
});

it("does not restart a server that already runs the current files", async () => {
  const start = call("start_server", { command: "node server.js" });
  const write = (text: string) => call("write_file", { path: "index.html", content: text });
  const after = await tryRun(scriptedModel(answer("", write("1"), start)));
  expect(after.workspace.commands).toEqual(["start: node server.js"]);
  const before = await tryRun(scriptedModel(answer("", start, write("2"))));
  expect(before.workspace.commands).toEqual(["start: node server.js", "start: node server.js"]);
});

it("tells the model about unknown tools and malformed arguments, within bounds (F6)", async () => {
  let prompt = "";
  const { events, result } = await tryRun(
    scriptedModel(
      answer(
        "",
        call("launch_rocket", { to: "moon" }),
        rawCall("write_file", '{"path": "a.txt", "content": '),
      ),
      (asked) => {
        prompt = toldText(asked);
        return answer("I see.");
      },
    ),
  );
  expect(orderProblems(events)).toEqual([]);
  expect(ofType(events, "call-end").map(({ status }) => status)).toEqual(["error", "error"]);
  expect(prompt).toContain("launch_rocket");
  expect(prompt).toContain("The arguments of write_file could not be understood");
  expect(result.outcome).toBe("done");

  const again = await tryRun(
    scriptedModel(
      ...Array.from({ length: 20 }, (_, n) => answer("", call("launch_rocket", { to: n }))),
    ),
  );
  expect(again.result.outcome).toBe("error");
  expect(again.result.steps).toBe(4);
});

it("warns when the same call is made three times, and stops at five", async () => {
  const { result, events } = await tryRun(
    scriptedModel(
      ...Array.from({ length: 20 }, () => answer("", call("run_command", { command: "ls" }))),
    ),
  );
  const ends = ofType(events, "call-end");
  expect(ends[1]?.result).not.toContain("same call");
  expect(ends[2]?.result).toContain("same call");
  expect(ends).toHaveLength(5);
  expect(ends[4]?.status).toBe("interrupted");
  const [end] = ofType(events, "run-end");
  expect(end).toMatchObject({ outcome: "error", error: { code: "loop", canContinue: true } });
  expect(result.steps).toBe(5);
});

it("stops at its step limit and still reports the state of the files", async () => {
  const { result, events } = await tryRun(
    scriptedModel(
      ...Array.from({ length: 9 }, (_, n) =>
        answer("", call("write_file", { path: "index.html", content: `<p>${n}</p>` })),
      ),
    ),
    { limits: { steps: 3 } },
  );
  expect(result).toMatchObject({ outcome: "budget", verdict: "runs", steps: 3 });
  expect(ofType(events, "run-end")[0]?.error).toMatchObject({ code: "budget", canContinue: true });
});

it.each([
  [
    "its tokens",
    { tokens: 300 },
    { code: "budget-tokens", values: { used: expect.any(Number) as number, limit: 300 } },
  ],
  [
    "the project's money",
    { project: { costUsd: 1, used: { tokens: 0, costUsd: 0.9998 } } },
    { code: "project-budget-money", values: { limit: "$1.00" } },
  ],
  [
    "the project's tokens",
    { project: { tokens: 9_000, used: { tokens: 8_900, costUsd: 0 } } },
    { code: "project-budget-tokens", values: { limit: 9_000 } },
  ],
])("stops at the limit of %s, says which, and can go on", async (_what, limits, messageCode) => {
  const { result, events } = await tryRun(
    scriptedModel(
      ...Array.from({ length: 9 }, (_, n) => answer("", call("read_file", { path: `${n}` }))),
    ),
    { limits, model: { price: { input: 1, cachedInput: 1, cacheWrite: 1, output: 10 } } },
  );
  expect(result.outcome).toBe("budget");
  expect(ofType(events, "run-end")[0]?.error).toMatchObject({
    code: "budget",
    messageCode,
    canContinue: true,
  });
});

it("stops at its cost limit", async () => {
  const { result } = await tryRun(
    scriptedModel(
      ...Array.from({ length: 9 }, (_, n) => answer("", call("read_file", { path: `${n}` }))),
    ),
    {
      limits: { costUsd: 0.0005 },
      model: { price: { input: 1, cachedInput: 1, cacheWrite: 1, output: 10 } },
    },
  );
  expect(result).toMatchObject({ outcome: "budget", steps: 3 });
});

describe("an answer that reaches the output limit", () => {
  it("is continued: the unclosed call is interrupted, and nothing of it is written", async () => {
    let prompt = "";
    const cut = call("write_file", { path: "index.html", content: "<h1>long</h1>" }).slice(0, 4);
    const { events, workspace, result } = await tryRun(
      scriptedModel([...textParts("Here:"), ...cut, ...finish("length")], (asked) => {
        prompt = toldText(asked);
        return answer("", call("write_file", { path: "index.html", content: "<p>short</p>" }));
      }),
    );
    expect(orderProblems(events)).toEqual([]);
    expect(ofType(events, "call-end")[0]).toMatchObject({
      status: "interrupted",
      title: "Interrupted: write_file index.html",
    });
    expect(prompt).toContain("reached its output limit inside this call");
    expect(workspace.text("index.html")).toBe("<p>short</p>");
    expect(result.verdict).toBe("runs");
  });
});

it("tells the model about the person's changes, and keeps the note in the history", async () => {
  let prompt = "";
  const model = scriptedModel((asked) => {
    prompt = toldText(asked);
    return answer("I see.");
  });
  const { saved } = await tryRun(model, {
    request: {
      changes: [
        {
          path: toProjectPath("src/App.tsx"),
          kind: "changed",
          binary: false,
          diff: "@@ -1 +1 @@\n-old\n+their words",
        },
      ],
    },
  });
  expect(prompt).toContain("+their words");
  expect(prompt).toContain("changed src/App.tsx");
  expect(saved[0]?.parts.map(({ type }) => type)).toContain("data-changes");
});

it.each(["native", "artifact"] as const)(
  "A27 does not present a program's changes as the person's wish (%s)",
  async (dialect) => {
    let prompt = "";
    const model = scriptedModel((asked) => {
      prompt = toldText(asked);
      return answer("I see.");
    });
    const change = (path: string, by: "person" | "outside") => ({
      path: toProjectPath(path),
      kind: "changed" as const,
      binary: false,
      diff: `@@ -1 +1 @@\n-old\n+${by} wrote it`,
      by,
    });
    const changes = [change("a.txt", "person"), change("b.txt", "outside")];
    await tryRun(model, { dialect, request: { changes } });
    expect(prompt).toMatch(
      /who it was is not known[^]*<changes>[^]*outside wrote it[^]*<\/changes>/,
    );
    expect(prompt.split("</changes>")[1]).toContain("person wrote it");
    expect(prompt.split("</changes>")[1]).not.toContain("outside wrote it");
  },
);

it("never overwrites a change by the person that the model has not seen (F13)", async () => {
  const workspace = htmlWorkspace({ files: { "index.html": "<p>old</p>" } });
  const personWrites = new Map<ProjectPath, string>();
  personWrites.set(toProjectPath("index.html"), workspace.put("index.html", "<p>theirs</p>"));
  const { events } = await tryRun(
    scriptedModel(
      answer("", call("write_file", { path: "index.html", content: "<p>mine</p>" })),
      answer("I leave it."),
    ),
    { workspace, request: { personWrites } },
  );
  expect(workspace.text("index.html")).toBe("<p>theirs</p>");
  expect(ofType(events, "call-end")[0]).toMatchObject({ status: "error" });
  expect(ofType(events, "call-end")[0]?.result).toContain("<p>theirs</p>");
});

it("marks the system prompt and the last two user messages for the provider's cache", async () => {
  const model = scriptedModel(
    answer("", call("list_files", {})),
    answer("", call("list_files", { under: "src" })),
  );
  await tryRun(model);
  const { prompt } = model.doStreamCalls[2] ?? { prompt: [] };
  const marked = prompt.filter(
    ({ providerOptions }) => providerOptions?.["anthropic"]?.["cacheControl"],
  );
  expect(marked.map(({ role }) => role)).toEqual(["system", "tool", "tool"]);
});

it("drops the temperature for a model that refuses it, and continues without one", async () => {
  const refusal = new APICallError({
    message: "Unsupported value: 'temperature' does not support 0 with this model.",
    url: "http://model",
    requestBodyValues: {},
    statusCode: 400,
  });
  const model = scriptedModel(refusal, answer("", call("list_files", {})));
  const { result } = await tryRun(model);
  expect(result.outcome).toBe("done");
  expect(model.doStreamCalls.map(({ temperature }) => temperature)).toEqual([
    0,
    undefined,
    undefined,
  ]);
});

import { untriedEvidence } from "@treadle/protocol/evidence";
import { describe, expect, it } from "vitest";
import { createFakeWorkspace, type FakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import { GOOD_PAGE } from "../testing/try-run.test-support.ts";
import type { PageStep, PageUse } from "../ports/browser.ts";
import { findTool } from "./all-tools.ts";
import type { ToolContext } from "./tool.ts";

const STEPS: PageStep[] = [
  { do: "type", on: "New todo", text: "Milk" },
  { do: "expect", on: "Milk" },
];

const used = (more: Partial<PageUse> = {}): PageUse => ({
  steps: [
    { ok: true, said: 'type "Milk" in New todo' },
    { ok: true, said: "expect Milk" },
  ],
  outline: "- listitem: Milk",
  report: GOOD_PAGE,
  ...more,
});

async function call(
  name: "use_preview" | "inspect_preview" | "start_server",
  options: {
    usePage?: ToolContext["usePage"];
    running?: boolean;
    steps?: unknown[];
    files?: Record<string, string>;
    onWorkspace?: (workspace: FakeWorkspace) => void;
  } = {},
) {
  const workspace = createFakeWorkspace({
    files: options.files ?? {},
    serve: () => (_request, response) => void response.end("x"),
  });
  options.onWorkspace?.(workspace);
  if (options.running ?? true) await workspace.start("npm run dev");
  const tool = findTool(name)!;
  return tool.execute(tool.input.parse({ steps: options.steps ?? STEPS, command: "npm run dev" }), {
    workspace,
    signal: new AbortController().signal,
    personWrites: new Map(),
    seen: new Map(),
    todo: { read: () => [], isChanged: () => false, leave: () => {} },
    onOutput: () => {},
    wrote: () => {},
    evidence: async () => untriedEvidence("r"),
    now: () => 0,
    sleep: async () => {},
    ...("usePage" in options ? { usePage: options.usePage } : { usePage: async () => used() }),
  } as ToolContext);
}

describe("use_preview", () => {
  it("reports each step, the page after them, and that there was no error", async () => {
    const { ok, title, result } = await call("use_preview");
    expect({ ok, title }).toEqual({ ok: true, title: "Used the page: 2 steps" });
    expect(result).toContain('1. ok type "Milk" in New todo\n2. ok expect Milk');
    expect(result).toContain("<page>\n- listitem: Milk\n</page>\nNo errors.");
  });

  it("reports the final address if the steps led to another page", async () => {
    const usePage = (address: string) => async () => used({ address });
    const { result } = await call("use_preview", { usePage: usePage("/done?id=1") });
    expect(result).toContain("/done?id=1");
    const { result: same } = await call("use_preview", { usePage: usePage(GOOD_PAGE.path) });
    const { result: unknown } = await call("use_preview");
    expect(same).toBe(unknown);
  });

  it("gives an error result if a step failed", async () => {
    const steps = [{ ok: false, said: "type: there is no such element on the page" }];
    const { ok, title, result } = await call("use_preview", {
      usePage: async () => used({ steps }),
    });
    expect({ ok, title }).toEqual({ ok: false, title: "Used the page: step 1 did not work" });
    expect(result).toContain("1. FAILED type: there is no such element on the page");
  });

  it("gives the model the errors thrown meanwhile", async () => {
    const report = { ...GOOD_PAGE, uncaughtErrors: [{ message: "TypeError: x is null" }] };
    const { result } = await call("use_preview", { usePage: async () => used({ report }) });
    expect(result).toContain("<errors>\nTypeError: x is null\n</errors>");
  });

  it.each([
    [
      "nothing runs, and nothing can be started",
      { running: false },
      "nothing says how one is started",
    ],
    ["there is no browser", { usePage: undefined }, "no browser on this machine"],
    [
      "the browser broke",
      { usePage: () => Promise.reject(new Error("Target closed")) },
      "could not open the page: Target closed",
    ],
  ])("says what to do when %s", async (_what, options, words) => {
    const { ok, result } = await call("use_preview", options);
    expect(ok).toBe(false);
    expect(result).toContain(words);
  });

  it("says which characters in the picture are boxes because no font has them", async () => {
    const { result } = await call("use_preview", {
      usePage: async () => used({ undrawn: ["食", "記"] }),
    });
    expect(result).toContain("食 記");
    expect((await call("use_preview")).result).not.toContain("font");
  });

  it("starts the server with its packages installed if none runs, and says so", async () => {
    let workspace: FakeWorkspace | undefined;
    const manifest = { scripts: { dev: "vite" }, dependencies: { vite: "8.0.0" } };
    const { ok, result } = await call("use_preview", {
      running: false,
      files: { "package.json": JSON.stringify(manifest) },
      onWorkspace: (made) => (workspace = made),
    });
    expect(ok).toBe(true);
    expect(workspace!.commands).toEqual(["npm install --no-audit --no-fund", "start: npm run dev"]);
    expect(result).toContain("npm run dev was started for this");
    expect(result).toContain("npm install --no-audit --no-fund was run first");
  });

  it("says why a server that it had to start failed", async () => {
    const manifest = { scripts: { dev: "vite" }, dependencies: { "react-doom": "1.0.0" } };
    const { ok, result } = await call("use_preview", {
      running: false,
      files: { "package.json": JSON.stringify(manifest) },
    });
    expect(ok).toBe(false);
    expect(result).toContain("E404");
  });

  it("uses a new value for {new} in each call, as a check does in each try", async () => {
    const typed: string[] = [];
    const usePage: ToolContext["usePage"] = async ({ steps }) => {
      typed.push(...(JSON.stringify(steps).match(/Ana [a-z][a-z0-9]{7}\b/g) ?? []));
      return used();
    };
    const steps = ['type "Ana {new}" in textbox "Name"', 'expect "Ana {new}"'];
    for (let calls = 0; calls < 2; calls++) await call("use_preview", { steps, usePage });
    expect(typed).toHaveLength(4);
    expect(new Set(typed).size).toBe(2);
  });

  it("accepts steps in the form of checks, and in parts", async () => {
    let asked: PageStep[] = [];
    const usePage: ToolContext["usePage"] = async ({ steps }) => ((asked = steps), used());
    const steps = [...STEPS, 'as "second":', 'click button "Delete" in row "Milk"'];
    await call("use_preview", { usePage, steps });
    expect(asked).toEqual([
      ...STEPS,
      { do: "click", on: 'button "Delete" in row "Milk"', as: "second" },
    ]);
  });

  it("refuses an unknown step before anything is done, with every valid form", async () => {
    const { ok, result } = await call("use_preview", { steps: ["expect the best to come"] });
    expect(ok).toBe(false);
    expect(result).toContain("“expect the best to come” is no step");
    expect(result).toContain("\nreload\n");
  });

  it("rejects unknown steps", () => {
    const parsed = findTool("use_preview")!.input.safeParse({ steps: [{ do: "evaluate" }] });
    expect(parsed.success).toBe(false);
  });
});

it("inspect_preview takes no step and describes the page", async () => {
  let asked: PageStep[] | undefined;
  const { title, result } = await call("inspect_preview", {
    usePage: async ({ steps }) => {
      asked = steps;
      return used({ steps: [], outline: "" });
    },
  });
  expect(asked).toEqual([]);
  expect(title).toBe("Looked at /");
  expect(result).toContain("(the page shows nothing)");
});

describe("start_server", () => {
  it("reports errors thrown while the page loads, or that there are none", async () => {
    const report = { ...GOOD_PAGE, uncaughtErrors: [{ message: "TypeError: x is null" }] };
    const bad = await call("start_server", { usePage: async () => used({ report }) });
    expect(bad.ok).toBe(true);
    expect(bad.result).toContain("<errors>\nTypeError: x is null\n</errors>");
    const good = await call("start_server", { usePage: async () => used() });
    expect(good.result).toContain("loads without an error");
  });

  it.each([
    ["there is no browser", undefined],
    ["the browser broke", () => Promise.reject(new Error("Target closed"))],
    [
      "it has no page",
      async () => used({ report: { ...GOOD_PAGE, contentType: "application/json" } }),
    ],
  ])("says nothing of a page where %s", async (_what, usePage) => {
    const { ok, result } = await call("start_server", { usePage });
    expect([ok, result]).toEqual([true, expect.stringMatching(/^The server is up on port \d+\.$/)]);
  });

  it("gives advice if the server could not reach PostgreSQL", async () => {
    const onWorkspace = (workspace: FakeWorkspace) =>
      void Object.assign(workspace, {
        hasPostgres: true,
        serverLog: () => "error: PostgreSQL cannot be had\n  code: '57P03',\n",
      });
    const { ok, result } = await call("start_server", { onWorkspace });
    expect([ok, result]).toEqual([true, expect.stringContaining("treadle doctor")]);
  });

  it("names each part that exited while others run, with its last output", async () => {
    const parts = [
      {
        name: "backend/src/server.ts",
        code: 1,
        text: "\u001b[31mconnect ECONNREFUSED 127.0.0.1:5432\n",
      },
      { name: "worker", signal: "SIGKILL", text: "" },
    ];
    const onWorkspace = (workspace: FakeWorkspace) =>
      void Object.assign(workspace, { endedParts: async () => parts });
    const { ok, title, result } = await call("start_server", { onWorkspace });
    expect([ok, title]).toEqual([false, expect.stringContaining("a part of it ended")]);
    expect(result).toContain(
      "exit code 1 and does not run: backend/src/server.ts.\n<stderr>\nconnect ECONNREFUSED 127.0.0.1:5432\n</stderr>",
    );
    expect(result).toContain("by SIGKILL and does not run: worker.");
    expect(result).toContain("No PostgreSQL answers where this project runs");
    const failed = { url: "/api", status: 500, method: "GET" };
    const report = { ...GOOD_PAGE, failedRequests: [failed] } as typeof GOOD_PAGE;
    const seen = await call("inspect_preview", {
      onWorkspace,
      usePage: async () => used({ report }),
    });
    expect(seen.result).toContain("<stderr>\nconnect ECONNREFUSED");
    expect((await call("inspect_preview", { onWorkspace })).result).not.toContain("ECONNREFUSED");
  });

  it("waits for the parts of a project with several packages", async () => {
    let asked = 0;
    const { ok } = await call("start_server", {
      files: { "package.json": "{}", "backend/package.json": "{}" },
      onWorkspace: (workspace) =>
        void Object.assign(workspace, {
          endedParts: async () => (++asked < 3 ? [] : [{ name: "api.js", code: 1, text: "" }]),
        }),
    });
    expect([ok, asked]).toEqual([false, 3]);
  });

  it("installs missing packages before it starts anything", async () => {
    let workspace: FakeWorkspace | undefined;
    const start = (version: string) =>
      call("start_server", {
        running: false,
        usePage: undefined,
        files: { "package.json": JSON.stringify({ dependencies: { [version]: "1.0.0" } }) },
        onWorkspace: (made) => (workspace = made),
      });
    expect((await start("ws")).ok).toBe(true);
    expect(workspace!.commands).toEqual(["npm install --no-audit --no-fund", "start: npm run dev"]);
    const files = {
      "package.json": JSON.stringify({ scripts: { dev: "npm --prefix api start" } }),
      "api/package.json": JSON.stringify({ dependencies: { ws: "1.0.0" } }),
    };
    const onWorkspace = (made: FakeWorkspace) => (workspace = made);
    await call("start_server", { running: false, usePage: undefined, files, onWorkspace });
    expect(workspace!.commands[0]).toBe("cd api && npm install --no-audit --no-fund");
    expect((await start("react-doom")).result).toContain("E404");
    expect(workspace!.commands).toEqual(["npm install --no-audit --no-fund"]);
  });
});

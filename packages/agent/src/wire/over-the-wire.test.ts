import {
  createScriptedModel,
  type Condition,
  type Fault,
  type Part,
  type Script,
  type ScriptedModel,
  type Step,
} from "@treadle/scripted-model";
import type { UIMessage } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import { createModelRegistry } from "../models/registry.ts";
import { orderProblems } from "../testing/check-order.test-support.ts";
import { createFakeClock } from "../testing/fake-clock.test-support.ts";
import { realClock } from "../testing/real-clock.test-support.ts";
import { htmlWorkspace, ofType, tryRun, type TryOptions } from "../testing/try-run.test-support.ts";

const open: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((model) => model.close()));
});

const PAGE = "<h1>Grüße — “quoted” \\ and 🙂</h1>\n".repeat(3);
const write = (content = PAGE): Part => ({
  type: "call",
  tool: "write_file",
  input: { path: "index.html", content },
});
const textPart = (text: string): Part => ({ type: "say", text });
const fault = (kind: Fault["kind"], more: Partial<Fault> = {}): Part => ({
  type: "fault",
  fault: { kind, ...more },
});
const first: Condition = { type: "attempt", number: 1, orLater: false, not: false };
const step = (name: string, parts: Part[], ...when: Condition[]): Step => ({ name, when, parts });

const WIRES = {
  "anthropic:script": (url: string) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "k" }),
  "openai:script": (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "k" }),
  "openai-compatible:script": (url: string) => ({
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: "k",
  }),
} as const;

async function play(
  id: keyof typeof WIRES,
  steps: Step[],
  options: TryOptions & { seed?: number } = {},
) {
  const script: Script = { name: "script", steps, otherwise: [textPart("Done.")] };
  const upstream = await createScriptedModel({
    script,
    key: "k",
    chunking: options.seed === undefined ? undefined : { min: 1, max: 23, seed: options.seed },
  });
  open.push(upstream);
  const registry = createModelRegistry({ env: WIRES[id](upstream.url), keys: new Map() });
  const resolved = await registry.resolve(id);
  if (!resolved.ok) throw new Error(resolved.error.message);
  const tried = await tryRun(resolved.model.languageModel, { model: resolved.model, ...options });
  expect(orderProblems(tried.events)).toEqual([]);
  return { ...tried, upstream };
}

/** Messages in the store's form: the last state of each id. */
const atRest = (saved: UIMessage[]) => [
  ...new Map(saved.map((message) => [message.id, message])).values(),
];

describe.each(Object.keys(WIRES) as (keyof typeof WIRES)[])("over the wire of %s", (id) => {
  it("builds a page, in odd chunks, with usage and temperature 0", async () => {
    const { result, workspace, upstream, events } = await play(
      id,
      [
        step("write", [
          textPart("I write it."),
          write(),
          { type: "call", tool: "start_server", input: { command: "treadle-serve" } },
        ]),
      ],
      { seed: 5 },
    );
    expect(result).toMatchObject({ outcome: "done", verdict: "runs", steps: 2 });
    expect(workspace.text("index.html")).toBe(PAGE);
    expect(result.usage.inputTokens).toBeGreaterThan(100);
    expect(result.usage.outputTokens).toBeGreaterThan(10);
    expect(upstream.requests[0]?.body["temperature"]).toBe(0);
    const deltas = ofType(events, "call-delta").filter(({ field }) => field === "content");
    expect(deltas.map(({ text }) => text).join("")).toBe(PAGE);
  });

  it("keeps the prefix of the conversation unchanged from step to step", async () => {
    const { upstream } = await play(id, [
      step("write", [write()]),
      step("more", [write("<p>x</p>")]),
    ]);
    const prompts = upstream.requests.map(({ asked }) =>
      JSON.stringify(asked.entries).slice(0, -1),
    );
    expect(prompts[1]?.startsWith(prompts[0] ?? "?")).toBe(true);
    expect(prompts[2]?.startsWith(prompts[1] ?? "?")).toBe(true);
  });

  it("begins the next turn with the same conversation, so that the provider's cache holds", async () => {
    const one = await play(id, [step("write", [textPart("I write."), write()])], {
      text: "Build it",
    });
    const history = atRest(one.saved);
    const two = await play(id, [], {
      request: {
        run: "r2",
        history,
        message: { id: "m2", role: "user", parts: [{ type: "text", text: "Now blue" }] },
      },
    });
    const before = JSON.stringify(one.upstream.requests.at(-1)?.asked.entries).slice(0, -1);
    expect(JSON.stringify(two.upstream.requests[0]?.asked.entries).startsWith(before)).toBe(true);
  });

  it("gives every call a result before the next request, also after a turn that broke", async () => {
    const one = await play(
      id,
      [
        step("write", [
          textPart("Now."),
          write("<p>1</p>"),
          write("x".repeat(400)),
          fault("reset", { after: 300 }),
        ]),
      ],
      { clock: createFakeClock() },
    );
    const two = await play(id, [], { request: { run: "r2", history: atRest(one.saved) } });
    const prompt = JSON.stringify(two.upstream.requests[0]?.body);
    const ids = (pattern: RegExp) => [...prompt.matchAll(pattern)].map((match) => match[1]).sort();
    const calls = ids(
      id === "anthropic:script"
        ? /"type":"tool_use","id":"([^"]+)"/g
        : id === "openai:script"
          ? /"type":"function_call","call_id":"([^"]+)"/g
          : /\{"id":"([^"]+)","type":"function"/g,
    );
    const results = ids(
      id === "anthropic:script"
        ? /"tool_use_id":"([^"]+)"/g
        : id === "openai:script"
          ? /"type":"function_call_output","call_id":"([^"]+)"/g
          : /"tool_call_id":"([^"]+)"/g,
    );
    expect(calls).toHaveLength(2);
    expect(results).toEqual(calls);
    expect(prompt).toContain("interrupted");
  });

  it("shows that it waits for a 429 with retry-after, then continues (F4)", async () => {
    const { result, events } = await play(
      id,
      [step("limit", [fault("rate-limited", { retryAfter: 7 })], first), step("write", [write()])],
      { clock: createFakeClock() },
    );
    const [waiting] = ofType(events, "waiting");
    expect(waiting).toMatchObject({ reason: "retry", until: 1_700_000_000_000 + 7_000 });
    expect(result.outcome).toBe("done");
  });

  it("retries if the provider is overloaded (F4)", async () => {
    const { result, events } = await play(
      id,
      [step("busy", [fault("overloaded")], first), step("write", [write()])],
      { clock: createFakeClock() },
    );
    expect(result).toMatchObject({ outcome: "done" });
    expect(ofType(events, "step-start").length).toBe(result.steps);
  });

  it("retries silently after an error event if nothing was shown (F3)", async () => {
    const { result, events } = await play(
      id,
      [step("error", [fault("error-event"), textPart("never")], first), step("write", [write()])],
      { clock: createFakeClock() },
    );
    expect(result).toMatchObject({ outcome: "done" });
    expect(ofType(events, "waiting")).toEqual([]);
  });

  it("ends with Continue after an error event if something was shown (F3)", async () => {
    const { events, workspace } = await play(
      id,
      [
        step("error", [
          textPart("Some words come first."),
          write("x".repeat(400)),
          fault("error-event", { after: 200 }),
        ]),
      ],
      { clock: createFakeClock(), limits: { goOns: 0 } },
    );
    const [end] = ofType(events, "run-end");
    expect(end).toMatchObject({ outcome: "error", error: { canContinue: true } });
    expect(["overloaded", "provider-down"]).toContain(end?.error?.code);
    expect(ofType(events, "call-end")[0]?.status).toBe("interrupted");
    expect(workspace.paths()).toEqual([]);
  });

  it.each(["reset", "cut"] as const)(
    "keeps the old file when the stream breaks inside a call: %s (F1)",
    async (kind) => {
      const workspace = htmlWorkspace({ files: { "index.html": "<p>old</p>" } });
      const { events, saved } = await play(
        id,
        [step("write", [textPart("Now."), write("x".repeat(400)), fault(kind, { after: 200 })])],
        {
          workspace,
          clock: createFakeClock(),
          limits: { goOns: 0 },
        },
      );
      expect(workspace.text("index.html")).toBe("<p>old</p>");
      expect(ofType(events, "call-end")).toMatchObject([{ status: "interrupted" }]);
      expect(ofType(events, "run-end")[0]).toMatchObject({
        outcome: "error",
        error: { code: "stream-cut", canContinue: true },
      });
      expect(saved.at(-1)?.parts.find(({ type }) => type === "text")).toMatchObject({
        text: "Now.",
      });
    },
  );

  it("treats a stalled stream as broken (F5)", async () => {
    const { events } = await play(
      id,
      [step("write", [textPart("Now."), write("x".repeat(400)), fault("stall", { after: 200 })])],
      {
        clock: realClock,
        limits: { modelIdleMs: 150, goOns: 0 },
      },
    );
    expect(ofType(events, "call-end")).toMatchObject([{ status: "interrupted" }]);
    expect(ofType(events, "run-end")[0]).toMatchObject({
      error: { code: "stalled", canContinue: true },
    });
  });

  it("continues automatically after an answer that was cut at the output limit", async () => {
    const { result, workspace } = await play(id, [
      step("long", [textPart("Now."), write("x".repeat(400)), fault("length", { after: 200 })], {
        type: "turn",
        number: 1,
        orLater: false,
        not: false,
      }),
      step("short", [write("<p>short</p>")], {
        type: "turn",
        number: 2,
        orLater: false,
        not: false,
      }),
    ]);
    expect(workspace.text("index.html")).toBe("<p>short</p>");
    expect(result.verdict).toBe("runs");
  });

  it.each([
    ["wrong-key", "key-wrong"],
    ["unknown-model", "model-unknown"],
    ["quota", "quota"],
    ["context-overflow", "context-overflow"],
  ] as const)("says plainly what is wrong, without asking again: %s (F4)", async (kind, code) => {
    const { events, upstream } = await play(id, [step("refuse", [fault(kind)])], {
      clock: createFakeClock(),
    });
    const [end] = ofType(events, "run-end");
    expect(end?.error?.code).toBe(code);
    expect(end?.error?.message).toMatch(/^[A-Z].*\.$/);
    expect(upstream.requests).toHaveLength(1);
  });

  it("reports an unavailable provider after a few attempts", async () => {
    const { events, upstream } = await play(id, [step("down", [fault("hang-up")])], {
      clock: createFakeClock(),
    });
    expect(ofType(events, "run-end")[0]?.error?.code).toBe("provider-down");
    expect(upstream.requests).toHaveLength(5);
  });
});

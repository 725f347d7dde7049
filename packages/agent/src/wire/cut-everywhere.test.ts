import type { DialectName } from "@treadle/protocol";
import { createScriptedModel, type Part, type Script } from "@treadle/scripted-model";
import { untriedEvidence } from "@treadle/protocol/evidence";
import type { UIMessage } from "ai";
import { expect, it } from "vitest";
import { createModelRegistry } from "../models/registry.ts";
import { orderProblems } from "../testing/check-order.test-support.ts";
import { createFakeClock } from "../testing/fake-clock.test-support.ts";
import { htmlWorkspace, ofType, tryRun } from "../testing/try-run.test-support.ts";
import { GOOGLE_STREAM, GOOGLE_WORDS } from "./google-stream.test-support.ts";

const OLD = "<p>old</p>";
const WRITTEN = "<p>Grüße 🙂</p>\n";
const COMMAND = "rm -rf old && echo gone";
const PARTS: Part[] = [
  { type: "think", text: "Hm." },
  { type: "say", text: "Now: “é”." },
  { type: "call", tool: "write_file", input: { path: "index.html", content: WRITTEN } },
  { type: "call", tool: "run_command", input: { command: COMMAND } },
];
const SCRIPT: Script = {
  name: "cut",
  steps: [{ name: "all", when: [], parts: PARTS }],
  otherwise: [{ type: "say", text: "Done." }],
};

/** Patterns for the ids of calls and of results in a request, by provider. */
const PAIRS: Record<string, [RegExp, RegExp]> = {
  anthropic: [/"type":"tool_use","id":"([^"]+)"/g, /"tool_use_id":"([^"]+)"/g],
  openai: [
    /"type":"function_call","call_id":"([^"]+)"/g,
    /"type":"function_call_output","call_id":"([^"]+)"/g,
  ],
  "openai-compatible": [/\{"id":"([^"]+)","type":"function"/g, /"tool_call_id":"([^"]+)"/g],
  google: [
    /"functionCall":\{[^}]*"name":"([^"]+)"/g,
    /"functionResponse":\{[^}]*"name":"([^"]+)"/g,
  ],
};

/** Records the provider's bytes for the answer and for the next one. */
async function record(wire: string, dialect: DialectName): Promise<[Uint8Array, Uint8Array]> {
  if (wire === "google") return [bytes(GOOGLE_STREAM(WRITTEN, COMMAND)), bytes(GOOGLE_WORDS)];
  const upstream = await createScriptedModel({ script: SCRIPT, deltaSize: 30 });
  const answers: Uint8Array[] = [];
  try {
    await turn(wire, dialect, {
      async answer(url, init) {
        const response = await fetch(url, init);
        const body = new Uint8Array(await response.arrayBuffer());
        answers.push(body);
        return new Response(body, response);
      },
      address: upstream.url,
    });
  } finally {
    await upstream.close();
  }
  return [answers[0]!, answers[1]!];
}

const bytes = (text: string) => new TextEncoder().encode(text);

interface Answers {
  answer: typeof fetch;
  address?: string;
}

async function modelOf(wire: string, { address = "http://model.invalid", answer }: Answers) {
  const registry = createModelRegistry({
    env: {},
    keys: new Map([[wire, { key: "k", address }]]),
    fetch: answer,
  });
  const resolved = await registry.resolve(`${wire}:cut`);
  if (!resolved.ok) throw new Error(resolved.error.message);
  return resolved.model;
}

async function turn(
  wire: string,
  dialect: DialectName,
  { history, goOns = 2, ...answers }: Answers & { history?: UIMessage[]; goOns?: number },
) {
  const model = await modelOf(wire, answers);
  return tryRun(model.languageModel, {
    model,
    dialect,
    workspace: htmlWorkspace({ files: { "index.html": OLD } }),
    clock: createFakeClock(),
    limits: { modelTries: 1, steps: 4, goOns },
    // Evidence does not matter for this test.
    ports: { recorded: { result: () => undefined, evidence: () => untriedEvidence("") } },
    request: history ? { run: "r2", history } : undefined,
  });
}

/** Sends the bytes and then ends the stream normally, or with an error. */
function streamed(body: Uint8Array, breaks: boolean): Response {
  let sent = false;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (!sent && body.length > 0) controller.enqueue(body);
      else if (breaks) controller.error(new TypeError("terminated"));
      else controller.close();
      sent = true;
    },
  });
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}

/**
 * Finds the cuts that matter: the last byte of each outcome of the provider's stream parser. An outcome grows with the
 * bytes, so where both ends of a stretch have the same one, all of it has. `npm run soak cut-everywhere` tries every byte.
 */
async function distinctCuts(wire: string, bytes: Uint8Array): Promise<number[]> {
  let length = 0;
  const answer = async () => streamed(bytes.subarray(0, length), false);
  const model = await modelOf(wire, { answer });
  const outcomes = new Map<number, string>();
  async function outcomeAt(at: number): Promise<string> {
    const known = outcomes.get(at);
    if (known !== undefined) return known;
    length = at;
    const { stream } = await model.languageModel.doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: "Build it" }] }],
    });
    const seen: string[] = [];
    for await (const part of stream)
      // Ids may be generated anew each time.
      seen.push(JSON.stringify(part, (key, value) => (/id$/i.test(key) ? "" : value)));
    outcomes.set(at, seen.join("\n"));
    return outcomes.get(at)!;
  }
  const last: number[] = [];
  async function findWithin(from: number, to: number): Promise<void> {
    if ((await outcomeAt(from)) === (await outcomeAt(to))) return;
    if (to - from === 1) return void last.push(from);
    const middle = Math.floor((from + to) / 2);
    await findWithin(from, middle);
    await findWithin(middle, to);
  }
  await findWithin(0, bytes.length);
  return [...last, bytes.length];
}

/** Checks that each call in a request has its result, in the same order. */
function expectPairs(wire: string, prompt: string, where: string): void {
  const ids = (pattern: RegExp) => [...prompt.matchAll(pattern)].map((match) => match[1]);
  const [calls, results] = PAIRS[wire]!.map(ids);
  expect(results, where).toEqual(calls);
}

it.each([
  ["anthropic", "native"],
  ["openai", "native"],
  ["openai-compatible", "native"],
  ["google", "native"],
  ["openai-compatible", "artifact"],
  ["anthropic", "tags"],
] as const)(
  "F2 a stream of %s in the dialect %s, cut at every byte, runs nothing but what was whole and leaves a history that can be sent",
  async (wire, dialect) => {
    const [bytes, words] = await record(wire, dialect);
    const histories = new Map<string, { at: number; messages: UIMessage[] }>();
    const endings = new Set<string>();
    // Most cuts make no difference to the stream parser; the whole turn is run for each that does.
    const cuts = await distinctCuts(wire, bytes);
    expect(cuts.length).toBeGreaterThan(4);
    for (const [at, breaks] of cuts.flatMap((at) => [[at, false] as const, [at, true] as const])) {
      let asked = 0;
      let goneOn = "";
      const { events, workspace, saved, result } = await turn(wire, dialect, {
        // A stream that ends normally ends the turn, and the person continues it.
        goOns: breaks ? 2 : 0,
        async answer(_url, init) {
          if (++asked === 1) return streamed(bytes.subarray(0, at), breaks);
          goneOn = String(init?.body);
          return streamed(words, false);
        },
      });
      const where = `${breaks ? "broken" : "closed"} at byte ${at} of ${bytes.length}`;
      expect(orderProblems(events), where).toEqual([]);
      expect([OLD, WRITTEN], where).toContain(workspace.text("index.html"));
      // Complete calls run once, the answer is continued automatically, and the person gets one
      // line about it.
      const ran = workspace.commands.filter((command) => command === COMMAND);
      expect(ran.length, where).toBeLessThan(2);
      const waits = ofType(events, "waiting").filter(({ reason }) => reason === "retry");
      expect(waits.length, where).toBeLessThan(2);
      for (const command of workspace.commands)
        expect(command, where).toMatch(/^(?:rm -rf old && echo gone|start: treadle-serve)$/);
      const started = new Set(ofType(events, "call-start").map(({ call }) => call));
      for (const { call, status } of ofType(events, "call-end"))
        if (status === "interrupted") expect(started.has(call), where).toBe(false);
      const [end] = ofType(events, "run-end");
      endings.add(`${result.outcome} ${end?.error?.code}`);
      if (breaks) {
        expectPairs(wire, goneOn, where);
        continue;
      }
      const messages = [...new Map(saved.map((message) => [message.id, message])).values()];
      // Removes random differences between turns.
      const shape = JSON.stringify(messages).replaceAll(/(?:artifact|tags)-\w+-\d+/g, "");
      if (!histories.has(shape)) histories.set(shape, { at, messages });
    }
    expect([...endings].sort()).toEqual(["done undefined", "error stream-cut"]);
    for (const { at, messages } of histories.values()) {
      let prompt = "";
      await turn(wire, dialect, {
        history: messages,
        async answer(_url, init) {
          prompt = String(init?.body);
          return streamed(words, false);
        },
      });
      expectPairs(wire, prompt, `after byte ${at}`);
      expect(prompt).not.toBe("");
    }
  },
  240_000,
);

import {
  createScriptedModel,
  type Condition,
  type Part,
  type ScriptedModel,
  type Step,
} from "@treadle/scripted-model";
import type { UIMessage } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import { createModelRegistry } from "../models/registry.ts";
import type { Model } from "../ports/model.ts";
import { htmlWorkspace, ofType, tryRun, type TryOptions } from "../testing/try-run.test-support.ts";

const open: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((model) => model.close()));
});

interface Block {
  type: string;
  thinking?: string;
  signature?: string;
}
interface Message {
  role: string;
  content: Block[];
}

const think = (text: string): Part => ({ type: "think", text });
const read = (path: string): Part => ({ type: "call", tool: "read_file", input: { path } });
const long = (name: string) => `${name} ${"lorem ipsum ".repeat(700)}`;
const files = { "a.txt": long("alpha"), "b.txt": long("beta"), "c.txt": long("gamma") };

const after = (text: string): Condition[] => [
  { type: "text", subject: "result", pattern: text, not: false },
];
const STEPS: Step[] = [
  {
    name: "a",
    // A request for a summary has no tools.
    when: [
      { type: "turn", number: 1, orLater: false, not: false },
      { type: "text", subject: "message", pattern: "build it", not: false },
      { type: "tools", not: false },
    ],
    parts: [think("First a."), read("a.txt")],
  },
  { name: "b", when: after("alpha lorem"), parts: [think("Now b."), read("b.txt")] },
  { name: "c", when: after("beta lorem"), parts: [think("Then c."), read("c.txt")] },
];

/**
 * Runs a turn over Anthropic's wire.
 * @returns the requests' messages
 */
async function play(more: Partial<Model>, options: TryOptions = {}, id = "claude-sonnet-4-5") {
  const upstream = await createScriptedModel({
    script: {
      name: "thinks",
      steps: STEPS,
      otherwise: [think("All is read."), { type: "say", text: "That is all." }],
    },
  });
  open.push(upstream);
  const env = { ANTHROPIC_BASE_URL: upstream.url, ANTHROPIC_API_KEY: "k" };
  const resolved = await createModelRegistry({ env, keys: new Map() }).resolve(`anthropic:${id}`);
  if (!resolved.ok) throw new Error(resolved.error.message);
  const model = { ...resolved.model, thinking: "low" as const, ...more };
  const workspace = htmlWorkspace({ files });
  const tried = await tryRun(model.languageModel, { model, workspace, ...options });
  const asked = upstream.requests.map(({ body }) => body["messages"] as Message[]);
  return { ...tried, asked };
}

/** The reasoning texts in a request, each of which must be signed. */
function thoughts(messages: Message[] | undefined): (string | undefined)[] {
  const blocks = (messages ?? []).flatMap(({ content }) =>
    content.filter(({ type }) => type === "thinking"),
  );
  for (const { signature } of blocks) expect(signature).toMatch(/./);
  return blocks.map(({ thinking }) => thinking);
}

describe("reasoning that Anthropic signed", () => {
  it("is sent back before the call that followed it", async () => {
    const { asked } = await play({});
    expect(asked.map(thoughts)).toEqual([
      [],
      ["First a."],
      ["First a.", "Now b."],
      ["First a.", "Now b.", "Then c."],
    ]);
    const answers = asked.at(-1)?.filter(({ role }) => role === "assistant") ?? [];
    expect(answers.map(({ content }) => content.map(({ type }) => type))).toEqual(
      STEPS.map(() => ["thinking", "tool_use"]),
    );
  });

  it("is dropped with the summarised steps, and stays with the others", async () => {
    const { asked, events, saved } = await play({ contextWindow: 10_500, maxOutputTokens: 2_000 });
    expect(ofType(events, "compacted").length).toBeGreaterThan(0);
    const last = asked.at(-1);
    expect(JSON.stringify(last)).toContain("summed up");
    expect(thoughts(last)).not.toContain("First a.");
    // Every answer still shown begins with its own reasoning, which the provider requires during tool use.
    const answers = last?.filter(({ role }) => role === "assistant") ?? [];
    expect(answers.length).toBeGreaterThan(0);
    for (const { content } of answers) expect(content[0]).toMatchObject({ type: "thinking" });
    // The next turn sends the same.
    const history = [...new Map(saved.map((message) => [message.id, message])).values()];
    const copied = JSON.parse(JSON.stringify(history)) as UIMessage[];
    const message: UIMessage = { id: "m2", role: "user", parts: [{ type: "text", text: "And?" }] };
    const next = await play({}, { request: { run: "r2", history: copied, message } });
    expect(thoughts(next.asked[0])).toEqual([...thoughts(last), "All is read."]);
  });

  it("is not sent to another model, and is sent again to the one that wrote it", async () => {
    const first = await play({});
    const history = [...new Map(first.saved.map((message) => [message.id, message])).values()];
    const message: UIMessage = { id: "m2", role: "user", parts: [{ type: "text", text: "And?" }] };
    const request = { run: "r2", history, message };
    const other = await play({}, { request }, "claude-opus-4-6");
    expect(thoughts(other.asked[0])).toEqual([]);
    const again = await play({}, { request });
    expect(thoughts(again.asked[0])).toEqual(["First a.", "Now b.", "Then c.", "All is read."]);
  });
});

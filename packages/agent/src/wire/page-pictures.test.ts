import {
  createScriptedModel,
  type Part,
  type Script,
  type ScriptedModel,
} from "@treadle/scripted-model";
import type { ModelHabits } from "@treadle/protocol";
import type { UIMessage } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import { shownPictures } from "../context/page-pictures.ts";
import { createModelRegistry } from "../models/registry.ts";
import { GOOD_PAGE, ofType, tryRun } from "../testing/try-run.test-support.ts";

const open: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((model) => model.close()));
});

const JPEG = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]);
const BASE64 = Buffer.from(JPEG).toString("base64");

const ENV = {
  "anthropic:script": (url: string) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "k" }),
  "openai:script": (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "k" }),
  "openai-compatible:script": (url: string) => ({
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: "k",
  }),
} as const;

async function look(id: keyof typeof ENV, seesPictures: boolean) {
  const call = (tool: string, input: Record<string, unknown>): Part => ({
    type: "call",
    tool,
    input,
  });
  const turn = (number: number) => [{ type: "turn", number, orLater: false, not: false }] as const;
  const script: Script = {
    name: "script",
    steps: [
      {
        name: "look",
        when: [...turn(1)],
        parts: [call("start_server", { command: "serve" }), call("inspect_preview", { path: "/" })],
      },
    ],
    otherwise: [{ type: "say", text: "It looks well." }],
  };
  const upstream = await createScriptedModel({ script, key: "k" });
  open.push(upstream);
  const registry = createModelRegistry({ env: ENV[id](upstream.url), keys: new Map() });
  const resolved = await registry.resolve(id);
  if (!resolved.ok) throw new Error(resolved.error.message);
  const asked: (boolean | undefined)[] = [];
  const tried = await tryRun(resolved.model.languageModel, {
    model: { ...resolved.model, seesPictures },
    ports: {
      looker: {
        look: async ({ path }) => ({ ...GOOD_PAGE, path }),
        async use({ path, picture }) {
          asked.push(picture);
          const report = { ...GOOD_PAGE, path };
          return { steps: [], outline: "- heading", report, ...(picture ? { picture: JPEG } : {}) };
        },
      },
      pictures: {
        keep: async () => ({ hash: "h1", mediaType: "image/jpeg" }),
        read: async (hash) => (hash === "h1" ? JPEG : undefined),
      },
    },
  });
  return { ...tried, asked, body: upstream.requests[1]?.body as Record<string, unknown> };
}

describe.each(Object.keys(ENV) as (keyof typeof ENV)[])("a picture that %s refuses", (id) => {
  const URL_OF_IT = `data:image/jpeg;base64,${BASE64}`;
  async function send(seesPictures: boolean | undefined, steps: Script["steps"]) {
    const upstream = await createScriptedModel({ script: { name: "script", steps }, key: "k" });
    open.push(upstream);
    const registry = createModelRegistry({ env: ENV[id](upstream.url), keys: new Map() });
    const resolved = await registry.resolve(id);
    if (!resolved.ok) throw new Error(resolved.error.message);
    const learnt: ModelHabits[] = [];
    const tried = await tryRun(resolved.model.languageModel, {
      model: { ...resolved.model, ...(seesPictures === undefined ? {} : { seesPictures }) },
      request: {
        message: {
          id: "m1",
          role: "user",
          parts: [
            { type: "file", mediaType: "image/jpeg", url: URL_OF_IT },
            { type: "text", text: "Like this" },
          ],
        },
      },
      ports: { learn: (habits) => learnt.push(habits) },
    });
    return { ...tried, learnt, bodies: upstream.requests.map(({ body }) => JSON.stringify(body)) };
  }
  const refuses: Script["steps"] = [
    {
      name: "refuse",
      when: [{ type: "pictures", not: false }],
      parts: [{ type: "fault", fault: { kind: "no-pictures" } }],
    },
    {
      name: "answer",
      when: [{ type: "pictures", not: true }],
      parts: [{ type: "say", text: "A page." }],
    },
  ];

  it("is left out once it was refused; that is said, counted and learnt", async () => {
    const { bodies, events, learnt, result, saved } = await send(undefined, refuses);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toContain(BASE64);
    expect(bodies[1]).not.toContain(BASE64);
    expect(bodies[1]).toContain("(a picture: you cannot see it)");
    expect(result.outcome).toBe("done");
    expect(ofType(events, "pictures-refused")).toMatchObject([{ run: "r1", model: id }]);
    expect(learnt).toEqual([{ pictures: "refused" }]);
    expect(ofType(events, "step-end").at(-1)?.context?.parts.pictures).toBeUndefined();
    // The message itself stays as it was: another model may see it.
    expect(JSON.stringify(saved)).not.toContain("you cannot see it");
  });

  it("is not sent at all to a model of which it is known", async () => {
    const { bodies, events } = await send(false, refuses);
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).not.toContain(BASE64);
    expect(ofType(events, "pictures-refused")).toEqual([]);
  });

  it("is asked about once only: a server that goes on refusing ends the turn", async () => {
    const { bodies, result } = await send(undefined, [
      { name: "refuse", when: [], parts: [{ type: "fault", fault: { kind: "no-pictures" } }] },
    ]);
    expect(bodies).toHaveLength(2);
    expect(result.outcome).toBe("error");
  });
});

describe("a picture of the page", () => {
  it("goes to the model in the result of its call, over Anthropic's wire", async () => {
    const { body, events, saved } = await look("anthropic:script", true);
    const results = (body["messages"] as { content: { type: string; content?: unknown }[] }[])
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === "tool_result");
    expect(results.at(-1)?.content).toMatchObject([
      { type: "text" },
      { type: "image", source: { type: "base64", media_type: "image/jpeg", data: BASE64 } },
    ]);
    expect(ofType(events, "call-end").at(-1)?.picture).toEqual({
      hash: "h1",
      mediaType: "image/jpeg",
    });
    // On disk, and neither in the log nor in a message.
    expect(JSON.stringify([events, saved])).not.toContain(BASE64);
  });

  it("does so over OpenAI's Responses", async () => {
    const { body } = await look("openai:script", true);
    const outputs = (body["input"] as { type?: string; output?: unknown }[]).filter(
      ({ type }) => type === "function_call_output",
    );
    expect(outputs.at(-1)?.output).toMatchObject([
      { type: "input_text" },
      { type: "input_image", image_url: `data:image/jpeg;base64,${BASE64}` },
    ]);
  });

  it("comes in a message after the results over Chat Completions, which are text only", async () => {
    const { body } = await look("openai-compatible:script", true);
    const messages = body["messages"] as { role: string; content: unknown }[];
    expect(messages.at(-1)).toMatchObject({
      role: "user",
      content: [
        { type: "text" },
        { type: "image_url", image_url: { url: `data:image/jpeg;base64,${BASE64}` } },
      ],
    });
    expect(messages.at(-2)).toMatchObject({ role: "tool", content: expect.any(String) });
  });

  it("is not even taken for a model that sees none", async () => {
    const { asked, body } = await look("openai-compatible:script", false);
    expect(asked).toEqual([false]);
    expect(JSON.stringify(body)).not.toContain(BASE64);
  });

  it("leaves the conversation with three others at once, when a fifth comes", () => {
    const message = (count: number): UIMessage => ({
      id: "m",
      role: "assistant",
      parts: Array.from({ length: count }, (_, index) => ({
        type: "tool-inspect_preview",
        toolCallId: `c${index}`,
        state: "output-available",
        input: {},
        output: "text",
        callProviderMetadata: {
          treadle: { picture: { hash: `h${index}`, mediaType: "image/jpeg" } },
        },
      })),
    });
    const shown = (count: number) => [...shownPictures([message(count)]).keys()];
    expect(shown(4)).toEqual(["c0", "c1", "c2", "c3"]);
    expect(shown(5)).toEqual(["c4"]);
    expect(shown(8)).toEqual(["c4", "c5", "c6", "c7"]);
    expect(shown(0)).toEqual([]);
  });
});

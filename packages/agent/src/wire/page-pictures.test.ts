import {
  createScriptedModel,
  type Part,
  type Script,
  type ScriptedModel,
} from "@treadle/scripted-model";
import type { ModelHabits } from "@treadle/protocol";
import type { UIMessage } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import { picturePart, shownPictures } from "../context/conversation/page-pictures.ts";
import { createModelRegistry } from "../models/registry.ts";
import { GOOD_PAGE, htmlWorkspace, ofType, tryRun } from "../testing/try-run.test-support.ts";
import type { Browser } from "../ports/browser.ts";

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
      browser: {
        look: async ({ path }) => ({ ...GOOD_PAGE, path }),
        async use({ path, picture }) {
          asked.push(picture === true);
          const report = { ...GOOD_PAGE, path };
          return { steps: [], outline: "- heading", report, picture: picture ? JPEG : undefined };
        },
      },
      pictures: {
        save: async () => ({ hash: "h1", mediaType: "image/jpeg" }),
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

  it("is left out after the refusal, which is reported, counted and remembered", async () => {
    const { bodies, events, learnt, result, saved } = await send(undefined, refuses);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toContain(BASE64);
    expect(bodies[1]).not.toContain(BASE64);
    expect(bodies[1]).toContain("(a picture: you cannot see it)");
    expect(result.outcome).toBe("done");
    expect(ofType(events, "pictures-refused")).toMatchObject([{ run: "r1", model: id }]);
    expect(learnt).toEqual([{ pictures: "refused" }]);
    expect(ofType(events, "step-end").at(-1)?.context?.parts.pictures).toBeUndefined();
    // The message itself is unchanged, as another model may accept the picture.
    expect(JSON.stringify(saved)).not.toContain("you cannot see it");
  });

  it("is not sent to a model that is known to refuse pictures", async () => {
    const { bodies, events } = await send(false, refuses);
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).not.toContain(BASE64);
    expect(ofType(events, "pictures-refused")).toEqual([]);
  });

  it("is retried once only: a server that keeps refusing ends the turn", async () => {
    const { bodies, result } = await send(undefined, [
      { name: "refuse", when: [], parts: [{ type: "fault", fault: { kind: "no-pictures" } }] },
    ]);
    expect(bodies).toHaveLength(2);
    expect(result.outcome).toBe("error");
  });
});

describe.each(Object.keys(ENV) as (keyof typeof ENV)[])("a page that is broken, over %s", (id) => {
  const write = (content: string): Part => ({
    type: "call",
    tool: "write_file",
    input: { path: "index.html", content },
  });
  const turn = (number: number) => ({ type: "turn", number, orLater: false, not: false }) as const;
  const steps: Script["steps"] = [
    { name: "wrong", when: [turn(1)], parts: [write("<p>broken</p>")] },
    { name: "says", when: [turn(2)], parts: [{ type: "say", text: "Done." }] },
    { name: "mends", when: [turn(3)], parts: [write("<p>good</p>")] },
  ];

  /** The provider's count for a page picture of 1,280 by 800. */
  const tokens = id.startsWith("anthropic") ? 1_366 : 1_105;

  async function mend(
    seesPictures: boolean,
    more: { use?: Browser["use"]; files?: Record<string, string> } = {},
  ) {
    const upstream = await createScriptedModel({
      script: { name: "script", steps, otherwise: [{ type: "say", text: "Done." }] },
      key: "k",
    });
    open.push(upstream);
    const registry = createModelRegistry({ env: ENV[id](upstream.url), keys: new Map() });
    const resolved = await registry.resolve(id);
    if (!resolved.ok) throw new Error(resolved.error.message);
    const workspace = htmlWorkspace({ files: more.files ?? {} });
    const savedPictures: string[] = [];
    const broken = () => workspace.text("index.html")?.includes("broken") ?? false;
    const asked: boolean[] = [];
    const tried = await tryRun(resolved.model.languageModel, {
      workspace,
      model: { ...resolved.model, seesPictures },
      ports: {
        browser: {
          async look({ path, onPicture }) {
            asked.push(onPicture !== undefined);
            onPicture?.(JPEG, ["食"]);
            return { ...GOOD_PAGE, path, rendered: more.use ? true : !broken() };
          },
          use: more.use,
        },
        pictures: {
          async save(_bytes, undrawn = []) {
            savedPictures.push("h1");
            return { hash: "h1", mediaType: "image/jpeg", undrawn: [...undrawn] };
          },
          read: async (hash) => (hash === "h1" ? JPEG : undefined),
        },
      },
    });
    const bodies = upstream.requests.map(({ body }) => JSON.stringify(body));
    return { ...tried, bodies, asked, savedPictures, broken };
  }

  it("is shown to a model that accepts pictures, beside the text", async () => {
    const { bodies, events, saved, result, savedPictures, asked } = await mend(true);
    expect(result.verdict).toBe("runs");
    // Each look takes a picture for the person; of a repeated look, the second is kept.
    expect(asked).toEqual([true, true, true]);
    expect(savedPictures).toHaveLength(2);
    expect(bodies[1]).not.toContain(BASE64);
    expect(bodies[2]).toContain(BASE64);
    expect(bodies[2]).toContain("The page as it looked:");
    expect(bodies[3]?.split(BASE64)).toHaveLength(2);
    // Referred to and stored on disk; in no event and in no message.
    expect(JSON.stringify([events, saved])).not.toContain(BASE64);
    const failed = ofType(events, "evidence").find(
      ({ evidence }) => evidence.parts.page.state === "failed",
    );
    // Includes the characters that were drawn as boxes, for the person.
    expect(failed?.evidence.pages.at(-1)?.picture).toMatchObject({ hash: "h1", undrawn: ["食"] });
    const counted = ofType(events, "step-end").map(({ context }) => context?.parts.pictures);
    expect(counted).toEqual([undefined, undefined, tokens, tokens]);
  });

  it("is described in text alone to a model that accepts no pictures", async () => {
    const { bodies, savedPictures, events } = await mend(false);
    // The person sees the pictures anyway.
    expect(savedPictures).toHaveLength(2);
    const pictured = ofType(events, "evidence").at(-1)?.evidence.pages.at(-1)?.picture;
    expect(pictured).toMatchObject({ hash: "h1", mediaType: "image/jpeg" });
    expect(bodies.join("")).not.toContain(BASE64);
    expect(bodies.join("")).not.toContain("The page as it looked:");
  });

  it("is not sent again if it looks the same", async () => {
    const before = steps.splice(2, 1);
    const { bodies, result } = await mend(true).finally(() => steps.splice(2, 0, ...before));
    expect(result.verdict).toBe("failed");
    const last = bodies.at(-1);
    expect(last?.split("does not work yet").length).toBeGreaterThan(1);
    expect(last).toContain("The page looks as in the picture before.");
    expect(last?.split(BASE64)).toHaveLength(2);
  });

  it("is left out for a model without picture support after an earlier model was shown it", async () => {
    const { saved } = await mend(true);
    const upstream = await createScriptedModel({
      script: { name: "script", steps: [], otherwise: [{ type: "say", text: "Well." }] },
      key: "k",
    });
    open.push(upstream);
    const registry = createModelRegistry({ env: ENV[id](upstream.url), keys: new Map() });
    const resolved = await registry.resolve(id);
    if (!resolved.ok) throw new Error(resolved.error.message);
    const history = [...new Map(saved.map((message) => [message.id, message])).values()];
    expect(JSON.stringify(history)).toContain("data-picture");
    const { result } = await tryRun(resolved.model.languageModel, {
      model: { ...resolved.model, seesPictures: false },
      request: { history, run: "r2", message: { id: "m2", role: "user", parts: [] } },
      text: "And now?",
      ports: { pictures: { save: async () => undefined, read: async () => JPEG } },
    });
    expect(result.outcome).toBe("done");
    const body = JSON.stringify(upstream.requests[0]?.body);
    expect(body).toContain("does not work yet");
    expect(body).not.toContain(BASE64);
  });

  it("is shown for failing checks as well: the first of each distinct picture", async () => {
    const files = {
      ".treadle/checks.md": '## A\n- expect "Hello"\n\n## B\n- expect "Hello"\n',
    };
    const held = (ok: boolean) => ({
      steps: [{ ok, said: "expect Hello" }],
      outline: "",
      report: GOOD_PAGE,
    });
    let workspaceIsBroken = () => true;
    const pictured: unknown[] = [];
    const use: Browser["use"] = async ({ picture }) => {
      pictured.push(picture);
      return { ...held(!workspaceIsBroken()), picture: picture ? JPEG : undefined };
    };
    let uses = 0;
    const tried = await mend(true, {
      files,
      use: async (request) => {
        // Both checks fail twice, then everything works.
        workspaceIsBroken = () => uses < 4;
        const result = await use(request);
        uses++;
        return result;
      },
    });
    expect(new Set(pictured)).toEqual(new Set(["on-failure"]));
    // From the two successful looks at the page, and from the checks.
    expect(tried.savedPictures).toHaveLength(4);
    expect(tried.bodies[2]).toContain(BASE64);
    expect(tried.result.verdict).toBe("runs");
  });
});

describe("a picture of the page", () => {
  it("is sent in the result of its call, over Anthropic's wire", async () => {
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

  it("is sent the same way over OpenAI's Responses", async () => {
    const { body } = await look("openai:script", true);
    const outputs = (body["input"] as { type?: string; output?: unknown }[]).filter(
      ({ type }) => type === "function_call_output",
    );
    expect(outputs.at(-1)?.output).toMatchObject([
      { type: "input_text" },
      { type: "input_image", image_url: `data:image/jpeg;base64,${BASE64}` },
    ]);
  });

  it("is sent in a message after the results over Chat Completions, whose results are text only", async () => {
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

  it("is not taken for a model that accepts none", async () => {
    const { asked, body } = await look("openai-compatible:script", false);
    expect(asked).toEqual([false, false]);
    expect(JSON.stringify(body)).not.toContain(BASE64);
  });

  it("leaves the conversation together with three others when a fifth is added", () => {
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
    const pictureMessage = {
      id: "n1",
      role: "user" as const,
      parts: [picturePart({ hash: "h", mediaType: "image/jpeg" })],
    };
    const shown = (count: number) => [...shownPictures([message(count)]).keys()];
    expect([...shownPictures([message(4), pictureMessage]).keys()]).toEqual(["n1"]);
    expect([...shownPictures([pictureMessage, message(3)]).keys()]).toEqual([
      "n1",
      "c0",
      "c1",
      "c2",
    ]);
    expect(shown(4)).toEqual(["c0", "c1", "c2", "c3"]);
    expect(shown(5)).toEqual(["c4"]);
    expect(shown(8)).toEqual(["c4", "c5", "c6", "c7"]);
    expect(shown(0)).toEqual([]);
  });
});

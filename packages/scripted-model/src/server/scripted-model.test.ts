import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  APICallError,
  generateText,
  isStepCount,
  jsonSchema,
  streamText,
  tool,
  type LanguageModel,
} from "ai";
import { afterEach, describe, expect, test } from "vitest";
import { parseScript } from "../script/parse-script.ts";
import {
  createScriptedModel,
  type ScriptedModel,
  type ScriptedModelOptions,
} from "./scripted-model.ts";

// The SDK does not know these models, and warns about each.
globalThis.AI_SDK_LOG_WARNINGS = false;

const open: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((model) => model.close()));
});

async function play(
  text: string,
  options: Partial<ScriptedModelOptions> = {},
): Promise<ScriptedModel> {
  const script = parseScript(text, { name: "test", readFile: () => "" });
  const model = await createScriptedModel({ script, ...options });
  open.push(model);
  return model;
}

type Connect = (url: string, key?: string) => LanguageModel;

const PROVIDERS: Record<string, Connect> = {
  anthropic: (url, apiKey = "k") =>
    createAnthropic({ baseURL: `${url}/v1`, apiKey })("claude-test"),
  "openai-responses": (url, apiKey = "k") =>
    createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses("gpt-test"),
  "openai-chat": (url, apiKey = "k") =>
    createOpenAICompatible({ name: "own", baseURL: `${url}/v1`, apiKey, includeUsage: true })(
      "own-test",
    ),
};

const PATHS: Record<string, string> = {
  anthropic: "/v1/messages",
  "openai-responses": "/v1/responses",
  "openai-chat": "/v1/chat/completions",
};

const input = jsonSchema<Record<string, unknown>>({ type: "object", additionalProperties: true });
const tools = {
  write_file: tool({ inputSchema: input }),
  run_command: tool({ inputSchema: input }),
};

interface Heard {
  text: string;
  thought: string;
  calls: { tool: string; input: unknown; invalid: boolean }[];
  finish: string;
  usage: { input: number | undefined; output: number | undefined; reasoning: number | undefined };
  error: unknown;
}

async function ask(model: LanguageModel, withTools = true, signal?: AbortSignal): Promise<Heard> {
  const heard: Heard = {
    text: "",
    thought: "",
    calls: [],
    finish: "none",
    usage: { input: undefined, output: undefined, reasoning: undefined },
    error: undefined,
  };
  const result = streamText({
    model,
    prompt: "Build it",
    tools: withTools ? tools : undefined,
    stopWhen: isStepCount(1),
    maxRetries: 0,
    onError: () => undefined,
    abortSignal: signal,
  });
  try {
    for await (const part of result.fullStream) {
      if (part.type === "text-delta") heard.text += part.text;
      else if (part.type === "reasoning-delta") heard.thought += part.text;
      else if (part.type === "error") heard.error = part.error;
      else if (part.type === "tool-call") {
        heard.calls.push({
          tool: part.toolName,
          input: part.input,
          invalid: part.invalid === true,
        });
      } else if (part.type === "finish") {
        heard.finish = part.finishReason;
        const { inputTokens, outputTokens, outputTokenDetails } = part.totalUsage;
        heard.usage = {
          input: inputTokens,
          output: outputTokens,
          reasoning: outputTokenDetails.reasoningTokens,
        };
      }
    }
  } catch (error) {
    heard.error = error;
  }
  return heard;
}

const ANSWER = `## one
~~~think
Für wen? Für alle 🙂.
~~~

I'll write “two” files — “naïve” ones 🎉.

~~~call write_file
path: src/ü.txt
content: "grüße 👋🏽\\nend"
~~~

~~~call run_command
command: npm install
~~~
`;

describe.each(Object.entries(PROVIDERS))("in the wire format of %s", (wire, connect) => {
  test("text, reasoning, several calls, usage and the finish reason arrive completely", async () => {
    const { url } = await play(ANSWER);
    const heard = await ask(connect(url));
    expect(heard.text).toBe("I'll write “two” files — “naïve” ones 🎉.");
    expect(heard.thought).toBe("Für wen? Für alle 🙂.");
    expect(heard.calls).toEqual([
      {
        tool: "write_file",
        input: { path: "src/ü.txt", content: "grüße 👋🏽\nend" },
        invalid: false,
      },
      { tool: "run_command", input: { command: "npm install" }, invalid: false },
    ]);
    expect(heard.finish).toBe("tool-calls");
    expect(heard.usage.input).toBeGreaterThan(0);
    expect(heard.usage.output).toBeGreaterThan(20);
    if (wire !== "anthropic") expect(heard.usage.reasoning).toBeGreaterThan(0);
    expect(heard.error).toBeUndefined();
  });

  test.each([1, 2, 3, 4, 5])("splitting at odd bytes changes nothing (seed %i)", async (seed) => {
    const complete = await ask(connect((await play(ANSWER)).url));
    const { url } = await play(ANSWER, { chunking: { min: 1, max: 5, seed }, deltaSize: seed });
    expect(await ask(connect(url))).toEqual(complete);
  });

  test("an answer without streaming has the same content", async () => {
    const { url } = await play(ANSWER);
    const result = await generateText({
      model: connect(url),
      prompt: "Build it",
      tools,
      maxRetries: 0,
    });
    expect(result.text).toBe("I'll write “two” files — “naïve” ones 🎉.");
    expect(result.toolCalls.map((call) => call.toolName)).toEqual(["write_file", "run_command"]);
    expect(result.finishReason).toBe("tool-calls");
  });

  test("a conversation with results continues from turn to turn", async () => {
    const script = `${ANSWER}
## two
when: turn 2
when: result /wrote ok/
when: result ran ok
~~~think
Once more.
~~~
Again.
~~~call run_command
command: npm test
~~~
## three
when: turn 3
when: prompt build it
when: not news wrote
Done.
`;
    const { url } = await play(script);
    const result = await generateText({
      model: connect(url),
      prompt: "Build it",
      tools: {
        write_file: tool({ inputSchema: input, execute: () => "wrote ok" }),
        run_command: tool({ inputSchema: input, execute: () => ({ text: "ran ok" }) }),
      },
      stopWhen: isStepCount(5),
      maxRetries: 0,
    });
    expect(result.steps.map((step) => step.text)).toEqual([
      "I'll write “two” files — “naïve” ones 🎉.",
      "Again.",
      "Done.",
    ]);
  });

  test("without tools, calls arrive as an artifact in the text", async () => {
    const { url } = await play(ANSWER);
    const heard = await ask(connect(url), false);
    expect(heard.calls).toEqual([]);
    expect(heard.finish).toBe("stop");
    expect(heard.text).toContain(
      '<boltAction type="file" filePath="src/ü.txt">\ngrüße 👋🏽\nend\n</boltAction>',
    );
    expect(heard.text).toContain('<boltAction type="shell">npm install</boltAction>');
  });

  test("F4 a rate limit is refused with its status and delay, and the next attempt is answered", async () => {
    const script =
      "## one\nwhen: attempt 1\n~~~fault rate-limited\nretry-after: 7\n~~~\n## two\nHello.\n## three\nwhen: attempt 2\nHello again.\n";
    const { url } = await play(script);
    const { error } = await ask(connect(url));
    expect(APICallError.isInstance(error)).toBe(true);
    if (!APICallError.isInstance(error)) return;
    expect(error.statusCode).toBe(429);
    expect(error.responseHeaders?.["retry-after"]).toBe("7");
    expect(error.isRetryable).toBe(true);
    expect((await ask(connect(url))).text).toBe("Hello again.");
  });

  test.each([
    ["overloaded", wire === "anthropic" ? 529 : 503, true],
    ["wrong-key", 401, false],
    ["unknown-model", 404, false],
    ["context-overflow", 400, false],
    ["no-pictures", 400, false],
    ["server-error", 500, true],
  ])("%s is refused with status %i", async (kind, status, retryable) => {
    const { url } = await play(`## one\n~~~fault ${kind}\n~~~\n`);
    const { error } = await ask(connect(url));
    expect(APICallError.isInstance(error) && error.statusCode).toBe(status);
    expect(APICallError.isInstance(error) && error.isRetryable).toBe(retryable);
  });

  test("an exhausted quota has the provider's message", async () => {
    const { url } = await play("## one\n~~~fault quota\n~~~\n");
    const { error } = await ask(connect(url));
    expect(String(error)).toMatch(/credit balance is too low|exceeded your current quota/);
  });

  test("a wrong key is refused, and the right one is not", async () => {
    const { url } = await play("## one\nHello.\n", { key: "right" });
    const { error } = await ask(connect(url, "wrong"));
    expect(APICallError.isInstance(error) && error.statusCode).toBe(401);
    expect((await ask(connect(url, "right"))).text).toBe("Hello.");
  });

  test("F1 a full output ends with `length`, and keeps what was sent before", async () => {
    const { url } = await play(`${ANSWER}\n~~~fault length\nafter: 80\n~~~\n`);
    const heard = await ask(connect(url));
    expect(heard.finish).toBe("length");
    expect(heard.text).toBe("I'll write “two” files — “naïve” ones 🎉.");
    expect(heard.calls.filter((call) => !call.invalid)).toEqual([]);
  });

  test("F3 an error event after status 200 arrives as an error", async () => {
    const { url } = await play(
      "## one\nHello there, reader.\n~~~fault error-event\nafter: 11\n~~~\n",
    );
    const heard = await ask(connect(url));
    expect(heard.text).toBe("Hello there");
    expect(heard.error).toBeDefined();
    expect(JSON.stringify(heard.error) + String(heard.error)).toMatch(/overloaded/i);
  });

  test("F1 a reset socket is an error, and what came before is kept", async () => {
    const { url } = await play(`${ANSWER}\n~~~fault reset\nafter: 90\n~~~\n`);
    const heard = await ask(connect(url));
    expect(heard.error).toBeDefined();
    expect(heard.text).toBe("I'll write “two” files — “naïve” ones 🎉.");
    expect(heard.calls).toEqual([]);
  });

  test("F2 a stream can be cut at any byte, and never contains more than was sent", async () => {
    const sentence = "Hello there, 🙂.";
    const sent = await fetch(`${(await play(`## one\n${sentence}\n`)).url}${PATHS[wire] ?? ""}`, {
      method: "POST",
      body: JSON.stringify({ model: "m", stream: true }),
    });
    const { byteLength } = await sent.arrayBuffer();
    for (let bytes = 1; bytes < byteLength; bytes += 61) {
      const { url } = await play(`## one\n~~~fault cut\nafter-bytes: ${bytes}\n~~~\n${sentence}\n`);
      const heard = await ask(connect(url));
      expect(sentence.startsWith(heard.text)).toBe(true);
      expect(heard.calls).toEqual([]);
    }
  });

  test("F5 a stalled stream sends nothing more until the client disconnects", async () => {
    const { url } = await play("## one\nHello there, reader.\n~~~fault stall\nafter: 5\n~~~\n");
    const reader = new AbortController();
    const result = streamText({
      model: connect(url),
      prompt: "Build it",
      maxRetries: 0,
      abortSignal: reader.signal,
      onError: () => undefined,
    });
    let text = "";
    for await (const part of result.fullStream) {
      if (part.type === "text-delta") text += part.text;
      if (text === "Hello") reader.abort();
    }
    expect(text).toBe("Hello");
  });

  test("a stream that ends early has no finish reason", async () => {
    const { url } = await play("## one\nHello there, reader.\n~~~fault cut\nafter: 5\n~~~\n");
    const heard = await ask(connect(url));
    expect(heard.text).toBe("Hello");
    expect(["other", "interrupted", "error"]).toContain(heard.finish);
  });

  test("F6 malformed arguments arrive as an invalid call", async () => {
    const { url } = await play(
      '## one\n~~~raw-call write_file\n{"path": "a.txt", "content": "x\n~~~\n',
    );
    const heard = await ask(connect(url));
    expect(heard.calls.map((call) => [call.tool, call.invalid])).toEqual([["write_file", true]]);
  });
});

describe("the server", () => {
  test("records requests in order, and drops the oldest first", async () => {
    const model = await play("## one\nHello.\n", { record: 2 });
    for (const name of ["anthropic", "openai-responses", "openai-chat"]) {
      await ask(PROVIDERS[name]?.(model.url) ?? "");
    }
    expect(model.requests.map((request) => request.wire)).toEqual([
      "openai-responses",
      "openai-chat",
    ]);
    expect(model.requests[0]?.asked.tools).toEqual(["write_file", "run_command"]);
    expect(model.requests[0]?.asked.entries).toEqual([{ by: "user", text: "Build it" }]);
  });

  test("counts the common prefix of consecutive requests as cached", async () => {
    const model = await play("## one\nwhen: turn 1\nHello.\n");
    const cachedOf = async (prompt: string): Promise<number | undefined> => {
      const result = streamText({ model: PROVIDERS["anthropic"]?.(model.url) ?? "", prompt });
      return (await result.usage).inputTokenDetails.cacheReadTokens;
    };
    const long = "word ".repeat(1_000);
    expect(await cachedOf(`${long}a`)).toBe(0);
    expect(await cachedOf(`${long}b`)).toBe(1_152);
    expect(await cachedOf(`x${long}b`)).toBe(0);
  });

  test("closing ends active streams, and may be repeated", async () => {
    const model = await play("## one\nHello there.\n~~~fault stall\nafter: 5\n~~~\n");
    const response = await fetch(`${model.url}/v1/messages`, {
      method: "POST",
      body: JSON.stringify({ model: "m", stream: true, messages: [] }),
    });
    expect(response.status).toBe(200);
    await Promise.all([model.close(), expect(response.text()).rejects.toThrow()]);
    await model.close();
  });

  test.each([
    ["GET", "/nowhere", undefined, 404],
    ["POST", "/v1/embeddings", "{}", 404],
    ["POST", "/v1/messages", "not json", 400],
    ["POST", "/v1/messages", "[]", 200],
  ])("%s %s with %s is answered with %i", async (method, path, body, status) => {
    const { url } = await play("## one\nHello.\n");
    const response = await fetch(url + path, { method, body });
    expect(response.status).toBe(status);
  });

  test("a refusal that hangs up sends no answer at all", async () => {
    const { url } = await play("## one\n~~~fault hang-up\n~~~\n");
    expect((await ask(PROVIDERS["openai-chat"]?.(url) ?? "")).error).toBeDefined();
  });
});

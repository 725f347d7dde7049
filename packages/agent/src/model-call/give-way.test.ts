import { APICallError, type LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { UIMessage } from "ai";
import { describe, expect, it } from "vitest";
import type { McpTool } from "../mcp/types.ts";
import { answer, call, scriptedModel } from "../testing/scripted-model.test-support.ts";
import { ofType, tryRun } from "../testing/try-run.test-support.ts";
import { ALL_TOOLS } from "../tools/all-tools.ts";

const refusal = (message: string, statusCode = 400) =>
  new APICallError({
    message: "Bad Request",
    url: "http://x",
    requestBodyValues: {},
    statusCode,
    responseBody: JSON.stringify({ error: { type: "invalid_request_error", message } }),
  });

const part = (id: string): UIMessage["parts"][number] => ({
  type: "tool-write_file",
  toolCallId: id,
  state: "output-available",
  input: { path: "old.txt", content: "old" },
  output: "Wrote old.txt",
});
const HISTORY: UIMessage[] = [
  { id: "m0", role: "user", parts: [{ type: "text", text: "Build the shop" }] },
  {
    id: "r0.reply",
    role: "assistant",
    parts: [{ type: "step-start" }, { type: "text", text: "I write." }, part("call_1")],
  },
];
const holdsCalls = ({ prompt }: LanguageModelV4CallOptions) =>
  JSON.stringify(prompt).includes('"tool-call"');

/** A provider that rejects every history with calls, for an unknown reason. */
const refusesCalls = (...answers: ReturnType<typeof answer>[]) =>
  scriptedModel(
    ...Array.from({ length: 8 }, () => (asked: LanguageModelV4CallOptions) => {
      if (holdsCalls(asked)) throw refusal("messages.1: something about its form");
      return answers.shift() ?? answer("Done.");
    }),
  );

describe("a conversation whose form a provider refuses", () => {
  it("is sent as text, and the project's next turns continue", async () => {
    const first = await tryRun(refusesCalls(answer("It has a page.")), {
      request: { history: HISTORY },
    });
    expect(first.result.outcome).toBe("done");
    expect(ofType(first.events, "compacted")).toHaveLength(1);
    const stored = new Map([...HISTORY, ...first.saved].map((message) => [message.id, message]));
    let prompt = "";
    const next = await tryRun(
      scriptedModel((asked) => {
        prompt = JSON.stringify(asked.prompt);
        return answer("Still.");
      }),
      { request: { run: "r2", history: [...stored.values()], message: { id: "m2", role: "user", parts: [{ type: "text", text: "And?" }] } } }, // prettier-ignore
    );
    expect(next.result.outcome).toBe("done");
    expect(prompt).not.toContain('"tool-call"');
    for (const words of ["Build the shop", "old.txt", "It has a page.", "And?"]) expect(prompt).toContain(words); // prettier-ignore
  });

  it("is told as text in the midst of a run as well, with what was done in it", async () => {
    const { result, events, workspace } = await tryRun(
      refusesCalls(
        answer("", call("write_file", { path: "a.txt", content: "a" })),
        answer("Done."),
      ),
    );
    expect(workspace.text("a.txt")).toBe("a");
    expect(result.outcome).toBe("done");
    expect(ofType(events, "compacted")[0]?.text).toContain("a.txt");
  });

  it("stays unchanged if sending it as text does not help, and the provider's message is shown", async () => {
    const model = scriptedModel(refusal("top_p is not for me"), refusal("top_p is not for me"));
    const { result, events, saved } = await tryRun(model, { request: { history: HISTORY } });
    expect(result).toMatchObject({ outcome: "error" });
    expect(result.summary).toContain("top_p is not for me");
    expect(model.doStreamCalls).toHaveLength(2);
    expect(ofType(events, "compacted")).toEqual([]);
    expect(JSON.stringify(saved)).not.toContain("told as text");
  });
});

describe("a tool server's tool that a provider refuses", () => {
  const tool = (name: string): McpTool => ({
    server: "far",
    definition: { name, description: name, inputSchema: { type: "object", properties: { a: {} } }, readOnly: true }, // prettier-ignore
    standing: () => ({ allowed: true, digest: "d", why: "" }),
    call: async () => ({ ok: true, text: "yes" }),
  });
  const offered = ({ tools = [] }: LanguageModelV4CallOptions) => tools.map(({ name }) => name);
  const schemaOf = ({ tools = [] }: LanguageModelV4CallOptions, toolName: string) => {
    const found = tools.find(({ name }) => name === toolName);
    return found?.type === "function" ? Object.keys(found.inputSchema.properties ?? {}) : undefined;
  };

  it.each([
    ["by its name", () => "Invalid schema for function 'mcp__far__odd': no."],
    ["by its place", () => `tools.${ALL_TOOLS.length + 1}.custom.input_schema: no.`],
    ["by its place in Google's words", () => `tools[0].function_declarations[${ALL_TOOLS.length + 1}].parameters: no.`], // prettier-ignore
  ])(
    "%s is sent without its schema, then left out and named; the others stay",
    async (_, words) => {
      const sent: LanguageModelV4CallOptions[] = [];
      const strict = (asked: LanguageModelV4CallOptions) => {
        sent.push(asked);
        if (offered(asked).includes("mcp__far__odd")) throw refusal(words());
        return answer("Done.");
      };
      const { result, events } = await tryRun(scriptedModel(strict, strict, strict), {
        ports: { mcp: [tool("fine"), tool("odd")] },
      });
      expect(result.outcome).toBe("done");
      expect(sent.map((asked) => schemaOf(asked, "mcp__far__odd"))).toEqual([["a"], [], undefined]);
      expect(schemaOf(sent[2]!, "mcp__far__fine")).toEqual(["a"]);
      expect(ofType(events, "tools-missing")).toMatchObject([{ servers: [{ name: "far", why: expect.stringMatching(/odd.*no\./) }] }]); // prettier-ignore
      expect(JSON.stringify(sent[2]!.prompt)).toContain("mcp__far__odd");
    },
  );

  it("without a name or a place, all tools of foreign servers are left out rather than none", async () => {
    const strict = (asked: LanguageModelV4CallOptions) => {
      if (offered(asked).some((name) => name.startsWith("mcp__")))
        throw refusal("A tool's schema is wrong.");
      return answer("Done.");
    };
    const { result, events } = await tryRun(scriptedModel(strict, strict, strict), {
      ports: { mcp: [tool("one"), tool("two")] },
    });
    expect(result.outcome).toBe("done");
    expect(ofType(events, "tools-missing")[0]?.servers).toHaveLength(2);
  });

  it("is left out and named where there are more than a request may offer", async () => {
    let names: string[] = [];
    const { events } = await tryRun(
      scriptedModel((asked) => {
        names = offered(asked);
        return answer("Done.");
      }),
      {
        ports: {
          mcp: Array.from({ length: 130 }, (_, n) => tool(`t${String(n).padStart(3, "0")}`)),
        },
      },
    );
    expect(names).toHaveLength(128);
    expect(ofType(events, "tools-missing")[0]?.servers).toHaveLength(130 + ALL_TOOLS.length - 128);
  });
});

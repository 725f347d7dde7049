import type { UIMessage } from "ai";
import { describe, expect, it } from "vitest";
import {
  answer,
  call,
  scriptedModel,
  toldText,
} from "../../testing/scripted-model.test-support.ts";
import { tryRun } from "../../testing/try-run.test-support.ts";
import { answeredBy, withoutForeign } from "./foreign-parts.ts";

const reply = (model: string, id: string): UIMessage => ({
  id,
  role: "assistant",
  metadata: answeredBy(model),
  parts: [
    { type: "step-start" },
    {
      type: "reasoning",
      text: "secret thought",
      providerMetadata: { anthropic: { signature: "signed" } },
    },
    { type: "text", text: "I read.", providerMetadata: { openai: { itemId: "msg_1" } } },
    {
      type: "tool-read_file",
      toolCallId: "functions.read_file:0",
      state: "output-available",
      input: { path: "a.txt" },
      output: "A",
      callProviderMetadata: { openai: { itemId: "fc_1" } },
    },
  ],
});

describe("the answer of another model", () => {
  it("keeps its text, calls and results, and loses reasoning, signatures and ids that a provider refuses", () => {
    const [one, two] = withoutForeign([reply("a:x", "1"), reply("a:x", "2")], "b:y");
    const text = JSON.stringify([one, two]);
    expect(text).not.toMatch(/secret thought|signed|itemId|functions\.read/);
    expect(one?.parts).toMatchObject([
      { type: "step-start" },
      { type: "text", text: "I read." },
      {
        type: "tool-read_file",
        toolCallId: expect.stringMatching(/^[A-Za-z0-9]{9}$/),
        output: "A",
      },
    ]);
    expect(two?.parts.at(-1)).toMatchObject({
      toolCallId: expect.stringMatching(/^[A-Za-z0-9]{9}$/),
    });
    const ids = [one, two].map((message) => message?.parts.at(-1));
    expect(ids[0]).not.toEqual(ids[1]);
  });

  it("is left unchanged if the same model is asked again", () => {
    const own = [reply("a:x", "1")];
    expect(withoutForeign(own, "a:x")).toEqual(own);
  });

  it("is usable history for each next dialect: native, tags, artifact", async () => {
    let history: UIMessage[] = [];
    const prompts: string[] = [];
    const write = (path: string) => call("write_file", { path, content: `text of ${path}` });
    const tag = "<read_file><path>one.txt</path></read_file>";
    const turns = [
      { id: "a:native", dialect: "native", first: answer("I write.", write("one.txt")) },
      { id: "b:tags", dialect: "tags", first: answer(`I read. ${tag}`) },
      { id: "c:artifact", dialect: "artifact", first: answer("That is all.") },
      { id: "a:native", dialect: "native", first: answer("That is all.") },
    ] as const;
    for (const [index, { id, dialect, first }] of turns.entries()) {
      const model = scriptedModel((asked) => {
        prompts.push(toldText(asked));
        return [...first];
      });
      const message: UIMessage = {
        id: `m${index}`,
        role: "user",
        parts: [{ type: "text", text: `turn ${index}` }],
      };
      const { result, saved } = await tryRun(model, {
        dialect,
        model: { id },
        request: { run: `r${index}`, history, message },
      });
      expect(result.outcome).toBe("done");
      const stored = new Map([...history, message, ...saved].map((one) => [one.id, one]));
      history = [...stored.values()];
    }
    // Calls of other dialects are text if the dialect has no calls, and calls if it has.
    expect(prompts[1]).toContain("<write_file>");
    expect(prompts[1]).not.toContain('"tool-call"');
    expect(prompts[2]).toContain('<boltAction type=\\"file\\" filePath=\\"one.txt\\"');
    expect(prompts[3]).toContain('"toolName":"write_file"');
    expect(prompts[3]).toContain('"toolName":"read_file"');
  });
});

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { orderProblems } from "../../testing/check-order.test-support.ts";
import {
  answer,
  textParts,
  scriptedModel,
  streamOf,
  toldText,
} from "../../testing/scripted-model.test-support.ts";
import { htmlWorkspace, ofType, tryRun } from "../../testing/try-run.test-support.ts";
import { ALL_TOOLS } from "../../tools/all-tools.ts";
import { sentSchema } from "../../tools/tool.ts";
import { callsToTags } from "./calls-to-tags.ts";
import { readValue, tagTools } from "./tag-tools.ts";

const ANSWER = `I make it.

<write_file>
<path>index.html</path>
<content>
<h1 class="a > b">"Hi" \\n 🙂</h1>
</content>
</write_file>
<run_command>
<command>npm run lint</command>
</run_command>
<start_server>
<command>treadle-serve</command>
</start_server>
`;

const CONTENT = '<h1 class="a > b">"Hi" \\n 🙂</h1>\n';

describe("the tags dialect", () => {
  it("runs tools as calls in their order, and goes on until an answer has none", async () => {
    const model = scriptedModel(answer(ANSWER), answer("There it is."));
    const { result, events, workspace } = await tryRun(model, { dialect: "tags" });
    expect(orderProblems(events)).toEqual([]);
    expect(result).toMatchObject({ outcome: "done", verdict: "runs", steps: 2 });
    expect(workspace.text("index.html")).toBe(CONTENT);
    expect(ofType(events, "call-open").map(({ tool }) => tool)).toEqual([
      "write_file",
      "run_command",
      "start_server",
    ]);
    const text = ofType(events, "text").map((event) => event.text);
    expect(text.join("")).toContain("I make it.");
    expect(text.join("")).not.toContain("<path>");
  });

  it("streams the content as it comes", async () => {
    const { events } = await tryRun(scriptedModel(answer(ANSWER), answer("So.")), {
      dialect: "tags",
    });
    const content = ofType(events, "call-delta").filter(({ field }) => field === "content");
    expect(content.map(({ text }) => text).join("")).toBe(CONTENT);
  });

  it("takes edits as SEARCH/REPLACE blocks, and numbers as numbers", async () => {
    let prompt = "";
    const { workspace } = await tryRun(
      scriptedModel(
        answer(
          "<edit_file>\n<path>index.html</path>\n<edits>\n------- SEARCH\n<p>one</p>\n=======\n<p>two</p>\n+++++++ REPLACE\n</edits>\n</edit_file>\n<read_file><path>index.html</path><offset>2</offset></read_file>",
        ),
        (asked) => {
          prompt = toldText(asked);
          return answer("So.");
        },
      ),
      {
        dialect: "tags",
        workspace: htmlWorkspace({ files: { "index.html": "<h1>x</h1>\n<p>one</p>\n" } }),
      },
    );
    expect(workspace.text("index.html")).toBe("<h1>x</h1>\n<p>two</p>\n");
    expect(prompt).toContain("[read_file for 'index.html'] Result:");
    expect(prompt).toContain("------- SEARCH\\n<p>one</p>");
    expect(prompt).not.toContain("tool-call");
  });

  it("teaches the model every tool, in place of the provider's list", async () => {
    const model = scriptedModel(answer("Hello."));
    await tryRun(model, { dialect: "tags" });
    const [asked] = model.doStreamCalls;
    expect(asked?.tools).toBeUndefined();
    const system = JSON.stringify(asked?.prompt[0]);
    expect(system).toContain("<search_files>\\n<pattern>…</pattern>");
  });

  it("shows an edit that is read as it is meant, and of each JSON value what it looks like", () => {
    const tools = ALL_TOOLS.map(({ name, description, input }) => ({
      type: "function" as const,
      name,
      description,
      inputSchema: sentSchema(input),
    }));
    const tagged = tagTools({ prompt: [], tools });
    const [system] = callsToTags([], tagged);
    const shown = /<edits>\n(.*?)\n<\/edits>/s.exec(String(system?.content))?.[1] ?? "";
    expect(readValue("edits", shown)).toEqual([
      { old: "const size = 1;\n", new: "const size = 2;\n" },
    ]);
    for (const { name, input } of ALL_TOOLS) {
      if (!(input instanceof z.ZodObject)) throw new Error(`${name} takes no object`);
      const { examples } = tagged.find((tool) => tool.name === name)!;
      for (const [param, example] of examples)
        expect(input.shape[param]!.safeParse(JSON.parse(example)).success, `${name} ${param}`).toBe(
          true,
        );
    }
    expect(system?.content).toContain('<asked>[{"what":"…","check":"…"}]</asked>');
  });

  it("reports an invalid value, and continues", async () => {
    let prompt = "";
    await tryRun(
      scriptedModel(
        answer("<read_file><path>a</path><offset>first</offset></read_file>"),
        (asked) => {
          prompt = toldText(asked);
          return answer("So.");
        },
      ),
      { dialect: "tags" },
    );
    expect(prompt).toContain("[read_file for 'a'] Error:");
    expect(prompt).toContain("offset");
  });

  it("runs nothing of a tool that was cut, at any place (F1, F2)", async () => {
    const parts = textParts(ANSWER);
    for (let at = 1; at < parts.length; at += 3) {
      const { events, workspace } = await tryRun(
        scriptedModel(() => streamOf(parts.slice(0, at))),
        { dialect: "tags", limits: { modelTries: 1, goOns: 0 } },
      );
      expect(orderProblems(events)).toEqual([]);
      expect([undefined, CONTENT]).toContain(workspace.text("index.html"));
      expect(ofType(events, "run-end")[0]?.outcome).toBe("error");
    }
  });

  it("gives a call whose result is unknown its words all the same", () => {
    const prompt: LanguageModelV4Prompt = [
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "1",
            toolName: "edit_file",
            output: { type: "error-text", value: "It is not there." },
          },
        ],
      },
    ];
    expect(callsToTags(prompt, [])[1]).toEqual({
      role: "user",
      content: [{ type: "text", text: "[edit_file] Error:\nIt is not there." }],
    });
  });
});

import { APICallError } from "@ai-sdk/provider";
import type { UIMessage } from "ai";
import { describe, expect, it } from "vitest";
import { orderProblems } from "../../testing/check-order.test-support.ts";
import {
  answer,
  call,
  scriptedModel,
  toldText,
} from "../../testing/scripted-model.test-support.ts";
import { htmlWorkspace, ofType, tryRun } from "../../testing/try-run.test-support.ts";
import { shownConversation } from "../conversation/shown-conversation.ts";
import { staleContents } from "./stale-contents.ts";

/** A small model: about 3,000 tokens of conversation fit. */
const SMALL = { contextWindow: 8_000 };
const long = (name: string) => `${name} ${"lorem ipsum ".repeat(700)}`;
const files = { "a.txt": long("alpha"), "b.txt": long("beta"), "c.txt": long("gamma") };

const isSummary = (asked: { prompt: { role: string; content: unknown }[] }) =>
  String(asked.prompt[0]?.content).startsWith("You write the notes");

const overflow = () =>
  new APICallError({
    message: "prompt is too long",
    url: "http://x",
    requestBodyValues: {},
    statusCode: 400,
    responseBody: '{"error":{"code":"context_length_exceeded","message":"prompt is too long"}}',
  });

describe("a conversation that grows too long", () => {
  const reads = () => {
    const prompts: string[] = [];
    const asked: string[] = [];
    const model = scriptedModel(
      answer("I read.", call("read_file", { path: "a.txt" })),
      answer("And on.", call("read_file", { path: "b.txt" })),
      (options) => {
        asked.push(isSummary(options) ? "summary" : "step");
        prompts.push(toldText(options));
        return answer("Task: read the files. Decisions: none.");
      },
      (options) => {
        asked.push(isSummary(options) ? "summary" : "step");
        prompts.push(toldText(options));
        return answer("That is all.");
      },
    );
    return { model, prompts, asked };
  };

  it("is summarised by the model, and continues with the summary and its newest steps", async () => {
    const { model, prompts, asked } = reads();
    const { result, events } = await tryRun(model, {
      model: SMALL,
      workspace: htmlWorkspace({ files }),
      text: "Read all of my files",
    });
    expect(orderProblems(events)).toEqual([]);
    expect(result.outcome).toBe("done");
    expect(asked).toEqual(["summary", "step"]);
    // The transcript contains the covered part; the next step has the summary in its place.
    expect(prompts[0]).toContain("alpha");
    expect(prompts[1]).toContain("Task: read the files.");
    expect(prompts[1]).toContain("Read all of my files");
    expect(prompts[1]).not.toContain("alpha lorem");
    expect(ofType(events, "waiting").map(({ text }) => text)).toContain(
      "Summing up the conversation, which has become long",
    );
    expect(result.usage.inputTokens).toBe(400);
    const [compacted] = ofType(events, "compacted");
    expect(compacted?.after).toBeLessThan(compacted?.before ?? 0);
    expect(compacted?.usage).toBeUndefined();
  });

  it("keeps its full history, and shows the same summary in the next turn", async () => {
    const { model, prompts } = reads();
    const workspace = htmlWorkspace({ files });
    const { saved } = await tryRun(model, { model: SMALL, workspace });
    expect(JSON.stringify(saved)).toContain("alpha lorem");
    let next = "";
    await tryRun(
      scriptedModel((asked) => {
        next = toldText(asked);
        return answer("So.");
      }),
      { model: SMALL, workspace, request: { history: latest(saved) }, text: "And now?" },
    );
    expect(next).toContain("Task: read the files.");
    expect(next).not.toContain("alpha lorem");
    expect(next).toContain("And now?");
    expect(prompts[1]).toContain("Task: read the files.");
  });

  it.each([
    ["So many bananas.", true],
    ["**Task**\nRead.\n## Decisions\nNone.\nNext: go on", false],
    ["任务：读文件\n决定：无\n状态：好", false],
  ])("does not accept an invalid summary: %j", async (summary, withList) => {
    let prompt = "";
    const { events } = await tryRun(
      scriptedModel(
        answer("I read.", call("read_file", { path: "a.txt" })),
        answer("And on.", call("read_file", { path: "b.txt" })),
        answer(summary),
        (asked) => {
          prompt = toldText(asked);
          return answer("That is all.");
        },
      ),
      { model: SMALL, workspace: htmlWorkspace({ files }) },
    );
    expect(prompt).toContain(JSON.stringify(summary).slice(1, -1));
    expect(prompt.includes("read_file a.txt: ok")).toBe(withList);
    expect(ofType(events, "compacted")[0]?.text).toContain(summary);
  });

  it("continues with a list of calls if the model gives no summary", async () => {
    let prompt = "";
    const { result } = await tryRun(
      scriptedModel(
        answer("I read.", call("read_file", { path: "a.txt" })),
        answer("And on.", call("read_file", { path: "b.txt" })),
        () => {
          throw new Error("not now");
        },
        (asked) => {
          prompt = toldText(asked);
          return answer("That is all.");
        },
      ),
      { model: SMALL, workspace: htmlWorkspace({ files }) },
    );
    expect(result.outcome).toBe("done");
    expect(prompt).toContain("read_file a.txt: ok");
  });

  it("is summarised when a model of unknown window size rejects it as too long, and asked again", async () => {
    let tries = 0;
    let prompt = "";
    const { result, events } = await tryRun(
      scriptedModel(
        answer("I read.", call("read_file", { path: "a.txt" })),
        answer("And on.", call("read_file", { path: "b.txt" })),
        () => {
          tries++;
          throw overflow();
        },
        answer("Task: reading."),
        (asked) => {
          prompt = toldText(asked);
          return answer("That is all.");
        },
      ),
      { workspace: htmlWorkspace({ files }) },
    );
    expect(tries).toBe(1);
    expect(orderProblems(events)).toEqual([]);
    expect(result.outcome).toBe("done");
    expect(prompt).toContain("Task: reading.");
    expect(prompt).not.toContain("alpha lorem");
  });

  it("reports that it does not fit if nothing is left to summarise", async () => {
    const { result } = await tryRun(
      scriptedModel(() => {
        throw overflow();
      }),
      { model: SMALL },
    );
    expect(result).toMatchObject({ outcome: "error" });
    expect(result.summary).toContain("no longer fits into this model");
  });
});

/** Messages in the store's form: the newest state of each, in the order of their first save. */
function latest(saved: UIMessage[]): UIMessage[] {
  return [...new Map(saved.map((message) => [message.id, message])).values()];
}

describe("outdated file contents", () => {
  const tool = (id: string, name: string, input: object, output: string) => ({
    type: `tool-${name}` as const,
    toolCallId: id,
    state: "output-available" as const,
    input,
    output,
  });
  const big = "x".repeat(40_000);
  const history = [
    { id: "u", role: "user", parts: [{ type: "text", text: "Go" }] },
    {
      id: "a",
      role: "assistant",
      parts: [
        { type: "step-start" },
        tool("1", "read_file", { path: "a.ts" }, big),
        tool("2", "write_file", { path: "b.ts", content: big }, "Wrote b.ts"),
        tool("3", "read_file", { path: "c.ts" }, big),
        { type: "step-start" },
        tool("4", "write_file", { path: "a.ts", content: "new" }, "Wrote a.ts"),
        tool("5", "read_file", { path: "b.ts" }, "short"),
        tool("6", "edit_file", { path: "c.ts", edits: [] }, "Edited c.ts"),
      ],
    },
  ] as unknown as UIMessage[];

  it("are those that a later call shows in full; contents that were only edited since are needed", () => {
    expect(staleContents(history)).toEqual(["1", "2"]);
  });

  it("stay while they are small: removing them invalidates the provider's cache", () => {
    const [user, reply] = history;
    const few = [user!, { ...reply!, parts: reply!.parts.filter((_, at) => at !== 2) }];
    expect(staleContents(few)).toEqual([]);
  });

  it("are replaced by a word for the model, and complete in the history", () => {
    const note = {
      id: "n",
      role: "user",
      metadata: { from: "treadle", kind: "dropped", calls: ["1", "2"] },
      parts: [],
    } as UIMessage;
    const messages = structuredClone([...history, note]);
    const shown = JSON.stringify(shownConversation(messages));
    expect(shown.length).toBeLessThan(42_000);
    expect(shown.match(/left out: a later call shows/g)).toHaveLength(2);
    expect(messages).toEqual([...history, note]);
  });
});

import { toProjectPath } from "@treadle/protocol/project-path";
import { APICallError } from "@ai-sdk/provider";
import { createScriptedModel, type ScriptedModel } from "@treadle/scripted-model";
import type { Condition, Part, Script, Step } from "@treadle/scripted-model";
import type { ModelHabits } from "@treadle/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { createModelRegistry } from "../models/registry.ts";
import {
  answer,
  call,
  type ScriptedAnswer,
  scriptedModel,
  toldText,
} from "../testing/scripted-model.test-support.ts";
import { htmlWorkspace, ofType, tryRun, type TryOptions } from "../testing/try-run.test-support.ts";

const open: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((model) => model.close()));
});

const turn = (number: number): Condition => ({
  type: "turn",
  number,
  orLater: false,
  not: false,
});
const step = (name: string, parts: Part[], number: number): Step => ({
  name,
  when: [turn(number)],
  parts,
});
const textPart = (text: string): Part => ({ type: "say", text });

/** Runs a turn with a model of Ollama: Chat Completions, without a key. */
async function local(steps: Step[], options: TryOptions = {}) {
  const script: Script = { name: "small", steps, otherwise: [textPart("Done.")] };
  const upstream = await createScriptedModel({ script });
  open.push(upstream);
  const env = { OPENAI_BASE_URL: `${upstream.url}/v1` };
  const registry = createModelRegistry({ env, keys: new Map() });
  const resolved = await registry.resolve("openai-compatible:small");
  if (!resolved.ok) throw new Error(resolved.error.message);
  const learnt: ModelHabits[] = [];
  const tried = await tryRun(resolved.model.languageModel, {
    ...options,
    model: { ...resolved.model, ...options.model },
    ports: { learn: (habits) => void learnt.push(habits), ...options.ports },
  });
  return { ...tried, learnt, upstream };
}

const FENCED =
  "Put this into `index.html`:\n\n```html\n<html>\n<h1>Hi</h1>\n</html>\n```\n\nThat is it.";

describe("a small model", () => {
  it("that describes code and calls nothing is told so once, in short, and does it", async () => {
    const { result, workspace, learnt } = await local([
      step("describes", [textPart(FENCED)], 1),
      step(
        "does",
        [
          {
            type: "call",
            tool: "write_file",
            input: { path: "index.html", content: "<h1>Hi</h1>" },
          },
        ],
        2,
      ),
    ]);
    expect(workspace.text("index.html")).toBe("<h1>Hi</h1>");
    expect(result.verdict).toBe("runs");
    expect(learnt).toEqual([]);
  });

  it("that only describes again is asked no third time, and is spoken to in tags from then on", async () => {
    const { result, learnt } = await local([
      step("describes", [textPart(FENCED)], 1),
      step("describes again", [textPart(FENCED)], 2),
    ]);
    expect(result).toMatchObject({ outcome: "done", steps: 2 });
    expect(learnt).toEqual([{ dialect: "artifact" }]);
    const next = await local([step("fenced", [textPart(FENCED)], 1)], { dialect: "artifact" });
    expect(next.workspace.text("index.html")).toContain("<h1>Hi</h1>");
  });

  it("that writes tags where it was given tools is spoken to in them at once", async () => {
    const tagged =
      '<boltArtifact id="a" title="A"><boltAction type="file" filePath="index.html"><h1>Hi</h1></boltAction></boltArtifact>';
    const { result, learnt, workspace } = await local([
      step("tags", [textPart(tagged)], 1),
      step("again", [textPart(tagged)], 2),
    ]);
    expect(result).toMatchObject({ verdict: "runs", steps: 2 });
    expect(workspace.text("index.html")).toContain("<h1>Hi</h1>");
    expect(learnt).toEqual([{ dialect: "artifact" }]);
  });

  it("is not told so for words, or in a plan", async () => {
    for (const [parts, request] of [
      [answer("It is a `div`.\n```\none line\n```"), {}],
      [answer(FENCED), { mode: "plan" as const }],
    ] as const)
      expect((await tryRun(scriptedModel(parts), { request })).result.steps).toBe(1);
  });

  it.each([
    ["a file", FENCED, "index.html"],
    ["a change", "```diff\n--- a/b.ts\n+++ b/b.ts\n@@ -1 +1 @@\n-a\n+b\n```", "b.ts"],
  ])(
    "that described %s beside its calls is told of it once, by its path",
    async (_, words, path) => {
      let prompt = "";
      const { result } = await tryRun(
        scriptedModel(answer("", call("list_files", {})), answer(words), (asked) => {
          prompt = toldText(asked);
          return answer(words);
        }),
      );
      expect(result.steps).toBe(3);
      expect(prompt).toContain(path);
    },
  );

  it.each([
    ["what it wrote", "`a.txt`:\n\n```\none\n```"],
    ["a command", "Start it with:\n\n```bash\nnpm start\n```"],
    ["code that names no file", "It calls:\n\n```ts\nadd(1);\n```"],
  ])("receives nothing about %s", async (_, words) => {
    const write = call("write_file", { path: "a.txt", content: "one\n" });
    const { result } = await tryRun(scriptedModel(answer("", write), answer(words)));
    expect(result.steps).toBe(2);
  });

  it("whose server takes no tools is asked again in tags, within the same run", async () => {
    const learnt: ModelHabits[] = [];
    const once: ScriptedAnswer = (asked) => {
      if (asked.tools?.length)
        throw new APICallError({
          message: "registry.ollama.ai/library/small does not support tools",
          url: "http://127.0.0.1:11434/v1/chat/completions",
          requestBodyValues: {},
          statusCode: 400,
          responseBody:
            '{"error":{"message":"registry.ollama.ai/library/small does not support tools"}}',
        });
      return answer(
        '<boltArtifact id="a" title="A"><boltAction type="file" filePath="index.html"><h1>Hi</h1></boltAction></boltArtifact>',
      );
    };
    const model = scriptedModel(once, once);
    const { workspace, result } = await tryRun(model, {
      ports: { learn: (habits) => void learnt.push(habits) },
    });
    expect(result.verdict).toBe("runs");
    expect(workspace.text("index.html")).toContain("<h1>Hi</h1>");
    expect(learnt).toEqual([{ dialect: "artifact" }]);
  });

  it("whose edits keep missing is told to write whole files, now and in its next turns", async () => {
    const learnt: ModelHabits[] = [];
    const ports = { learn: (habits: ModelHabits) => void learnt.push(habits) };
    const miss = (index: number) =>
      answer("", call("edit_file", { path: "a.txt", edits: [{ old: `no${index}`, new: "x" }] }));
    const workspace = htmlWorkspace();
    await workspace.files.write(toProjectPath("a.txt"), "text\n");
    const { events } = await tryRun(scriptedModel(miss(1), miss(2), miss(3), miss(4)), {
      workspace,
      ports,
    });
    const results = ofType(events, "call-end").map(({ result }) => /write it whole/.test(result));
    expect(results).toEqual([false, false, false, true]);
    expect(learnt.at(-1)).toEqual({ editsMissed: 4, wholeFiles: true });
    let prompt = "";
    const prompts: string[] = [];
    for (const habits of [learnt.at(-1)!, {}])
      await tryRun(
        scriptedModel((asked) => {
          if ("wholeFiles" in habits) prompt = toldText(asked);
          prompts.push(JSON.stringify([asked.prompt[0], asked.tools]));
          return answer("Well.");
        }),
        { model: { habits } },
      );
    expect(prompt).toContain("Do not use edit_file");
    expect(prompts[0]).toBe(prompts[1]);
  });

  it("whose edit finds its place again is counted from the beginning", async () => {
    const learnt: ModelHabits[] = [];
    const workspace = htmlWorkspace();
    await workspace.files.write(toProjectPath("a.txt"), "text\n");
    await tryRun(
      scriptedModel(
        answer("", call("edit_file", { path: "a.txt", edits: [{ old: "text", new: "more" }] })),
      ),
      {
        workspace,
        model: { habits: { editsMissed: 3 } },
        ports: { learn: (habits) => void learnt.push(habits) },
      },
    );
    expect(learnt).toEqual([{}]);
  });
});

import { toProjectPath } from "@treadle/protocol/project-path";
import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { orderProblems } from "../../testing/check-order.test-support.ts";
import {
  answer,
  textParts,
  scriptedModel,
  streamOf,
  toldText,
} from "../../testing/scripted-model.test-support.ts";
import { htmlWorkspace, ofType, tryRun } from "../../testing/try-run.test-support.ts";
import { callsToArtifacts } from "./calls-to-artifacts.ts";

const ARTIFACT = `I make it.

<boltArtifact id="greeting" title="A greeting">
<boltAction type="file" filePath="index.html">
<h1 class="a > b">"Hi" \\n 🙂</h1>
</boltAction>
<boltAction type="shell">npm run lint</boltAction>
<boltAction type="start">treadle-serve</boltAction>
</boltArtifact>

There it is.`;

describe("the artifact dialect", () => {
  it("runs actions as tool calls in their order, grouped under the artifact's title, and ends the turn", async () => {
    const model = scriptedModel(answer(ARTIFACT));
    const { result, events, workspace } = await tryRun(model, { dialect: "artifact" });
    expect(orderProblems(events)).toEqual([]);
    expect(result).toMatchObject({ outcome: "done", verdict: "runs", steps: 1 });
    expect(workspace.text("index.html")).toBe('<h1 class="a > b">"Hi" \\n 🙂</h1>\n');
    expect(ofType(events, "call-open").map(({ tool }) => tool)).toEqual([
      "write_file",
      "run_command",
      "start_server",
    ]);
    expect(ofType(events, "group").map(({ title }) => title)).toEqual(["A greeting"]);
    expect(workspace.commands.slice(0, 2)).toEqual(["npm run lint", "start: treadle-serve"]);
    const text = ofType(events, "text")
      .map((event) => event.text)
      .join("");
    expect(text).toContain("I make it.");
    expect(text).toContain("There it is.");
    expect(text).not.toContain("bolt");
  });

  it("streams the content as it comes", async () => {
    const { events } = await tryRun(scriptedModel(answer(ARTIFACT)), { dialect: "artifact" });
    const content = ofType(events, "call-delta").filter(({ field }) => field === "content");
    expect(content.map(({ text }) => text).join("")).toBe('<h1 class="a > b">"Hi" \\n 🙂</h1>\n');
    expect(content.every(({ path }) => path === "index.html")).toBe(true);
  });

  it("asks the model for no tools, and teaches it the grammar", async () => {
    const model = scriptedModel(answer("Hello."));
    await tryRun(model, { dialect: "artifact" });
    const [asked] = model.doStreamCalls;
    expect(asked?.tools).toBeUndefined();
    expect(JSON.stringify(asked?.prompt[0])).toContain("<boltAction");
  });

  it("gives calls and results back as the model's own text and the user's words", async () => {
    let prompt = "";
    await tryRun(
      scriptedModel(
        answer(
          '<boltArtifact id="a" title="T"><boltAction type="shell">false</boltAction></boltArtifact>',
        ),
        (asked) => {
          prompt = toldText(asked);
          return answer("I see.");
        },
      ),
      {
        dialect: "artifact",
        workspace: htmlWorkspace({ command: () => ({ code: 1, output: "it broke" }) }),
      },
    );
    expect(prompt).toContain(
      '<boltArtifact id=\\"a\\" title=\\"T\\">\\n<boltAction type=\\"shell\\">false</boltAction>\\n</boltArtifact>',
    );
    expect(prompt).toContain("Results of your actions");
    expect(prompt).toContain("it broke");
    expect(prompt).not.toContain("tool-call");
  });

  it("runs nothing of an action that was cut, at any place (F1, F2)", async () => {
    const parts = textParts(ARTIFACT);
    for (let at = 1; at < parts.length; at += 2) {
      const { events, workspace } = await tryRun(
        scriptedModel(() => streamOf(parts.slice(0, at))),
        { dialect: "artifact", limits: { modelTries: 1, goOns: 0 } },
      );
      expect(orderProblems(events)).toEqual([]);
      expect([undefined, '<h1 class="a > b">"Hi" \\n 🙂</h1>\n']).toContain(
        workspace.text("index.html"),
      );
      expect(ofType(events, "run-end")[0]?.outcome).toBe("error");
    }
  });

  it("answers an unknown action with an error, and the rest goes on (A45)", async () => {
    const { events, workspace } = await tryRun(
      scriptedModel(
        answer(
          '<boltArtifact id="a" title="T"><boltAction type="teleport">x</boltAction><boltAction type="file" filePath="b.txt">b</boltAction></boltArtifact>',
        ),
      ),
      { dialect: "artifact" },
    );
    expect(ofType(events, "call-end").map(({ status }) => status)).toEqual(["error", "ok"]);
    expect(workspace.text("b.txt")).toBe("b\n");
  });

  it("writes nothing outside the project (A18)", async () => {
    const { workspace, events } = await tryRun(
      scriptedModel(
        answer(
          '<boltArtifact id="a" title="T"><boltAction type="file" filePath="../../etc/passwd">x</boltAction></boltArtifact>',
        ),
      ),
      { dialect: "artifact" },
    );
    expect(workspace.paths()).toEqual([]);
    expect(ofType(events, "call-end")[0]?.status).toBe("error");
  });

  it("tells what the person changed as bolt does", async () => {
    let prompt = "";
    await tryRun(
      scriptedModel((asked) => {
        prompt = toldText(asked);
        return answer("I see.");
      }),
      {
        dialect: "artifact",
        request: {
          changes: [
            {
              path: toProjectPath("a.ts"),
              kind: "changed",
              binary: false,
              diff: "@@ -1 +1 @@\n-a\n+b",
            },
          ],
        },
      },
    );
    expect(prompt).toContain("<bolt_file_modifications>");
    expect(prompt).toContain("+b");
  });

  it("shows a model no empty file where its own was cut, and what that was part of", async () => {
    const parts = textParts(ARTIFACT);
    const cut = parts.findIndex((part) => JSON.stringify(part).includes("Hi"));
    const { saved } = await tryRun(
      scriptedModel(() => streamOf(parts.slice(0, cut + 1))),
      { dialect: "artifact", limits: { modelTries: 1 } },
    );
    let prompt = "";
    await tryRun(
      scriptedModel((asked) => {
        prompt = toldText(asked);
        return answer("I see.");
      }),
      { dialect: "artifact", request: { history: saved } },
    );
    expect(prompt).toContain('title=\\"A greeting\\"');
    expect(prompt).toContain("(index.html was begun here, and not written.)");
    expect(prompt).not.toContain('filePath=\\"index.html\\"');
  });

  it("turns calls of another dialect into words", () => {
    const prompt: LanguageModelV4Prompt = [
      {
        role: "assistant",
        content: [
          { type: "tool-call", toolCallId: "1", toolName: "edit_file", input: { path: "a" } },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "1",
            toolName: "edit_file",
            output: { type: "text", value: "Edited a." },
          },
        ],
      },
    ];
    const turned = JSON.stringify(callsToArtifacts(prompt).slice(1));
    expect(turned).toContain("edit_file");
    expect(turned).toContain("Edited a.");
    expect(turned).not.toContain('"type":"tool');
  });
});

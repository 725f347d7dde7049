import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { UIMessage } from "ai";
import { expect, it } from "vitest";
import { answer, call, finish, scriptedModel } from "../testing/scripted-model.test-support.ts";
import { htmlWorkspace, tryRun } from "../testing/try-run.test-support.ts";

/** A complete call with an id chosen by the provider. */
const callAs = (id: string, path: string): LanguageModelV4StreamPart => ({
  type: "tool-call",
  toolCallId: id,
  toolName: "write_file",
  input: JSON.stringify({ path, content: path }),
});

/** Rejects requests in the way of the stricter providers. */
function strict(asked: LanguageModelV4CallOptions): void {
  const calls = asked.prompt.flatMap(({ role, content }) =>
    role === "assistant" ? content.filter((part) => part.type === "tool-call") : [],
  );
  const ids = calls.map(({ toolCallId }) => toolCallId);
  if (new Set(ids).size < ids.length) throw new Error("tool_use ids must be unique");
  if (/\\ud[89a-f]/i.test(JSON.stringify(asked.prompt))) throw new Error("no low surrogate");
}

/** A model that checks each request before it answers. */
const strictModel = (...answers: LanguageModelV4StreamPart[][]) =>
  scriptedModel(
    ...answers.map((parts) => (asked: LanguageModelV4CallOptions) => {
      strict(asked);
      return parts;
    }),
  );

it("continues after a model used one id for two calls of an answer, and again in the next answer", async () => {
  const { result, workspace, saved, events } = await tryRun(
    strictModel(
      [callAs("call_0", "a.txt"), callAs("call_0", "b.txt"), ...finish("tool-calls")],
      [callAs("call_0", "c.txt"), ...finish("tool-calls")],
      answer("Done."),
    ),
  );
  expect(result.outcome).toBe("done");
  for (const path of ["a.txt", "b.txt", "c.txt"]) expect(workspace.text(path)).toBe(path);
  expect(events.filter(({ type }) => type === "call-end")).toHaveLength(3);

  // The next turn of the project, with the saved history of this one.
  const history = [...new Map(saved.map((message) => [message.id, message])).values()];
  const next = await tryRun(
    strictModel([callAs("call_0", "d.txt"), ...finish("tool-calls")], answer("Done.")),
    {
      request: { run: "r2", history, message: { id: "m2", role: "user", parts: [{ type: "text", text: "And now?" }] } }, // prettier-ignore
    },
  );
  expect(next.result.outcome).toBe("done");
  expect(next.workspace.text("d.txt")).toBe("d.txt");
});

it("continues an old conversation that contains repeated ids and lone surrogates", async () => {
  const part = (input: string, output: string): UIMessage["parts"][number] => ({
    type: "tool-write_file",
    toolCallId: "call_0",
    state: "output-available",
    input: { path: "a.txt", content: input },
    output,
  });
  const history: UIMessage[] = [
    { id: "m0", role: "user", parts: [{ type: "text", text: "Build \ud83d" }] },
    {
      id: "r0.reply",
      role: "assistant",
      parts: [
        { type: "step-start" },
        { type: "text", text: "I write \ude00." },
        part("\ud83d", "ok \ud83d"),
        part("two", "ok"),
        { type: "step-start" },
        part("three", "ok"),
      ],
    },
  ];
  const { result } = await tryRun(strictModel(answer("Done.")), { request: { history } });
  expect(result.outcome).toBe("done");
});

it("never sends a lone surrogate that a program printed or that the model wrote into a file", async () => {
  const workspace = htmlWorkspace({
    command: () => ({ code: 0, output: `x${"😀".repeat(30_000)}` }),
  });
  const { result, saved } = await tryRun(
    strictModel(
      answer(
        "",
        call("run_command", { command: "node print.js" }),
        call("write_file", { path: "a.txt", content: "half \ud83d" }),
      ),
      answer("Done."),
    ),
    { workspace },
  );
  expect(result.outcome).toBe("done");
  expect(workspace.text("a.txt")).toBe("half \ufffd");
  expect(JSON.stringify(saved)).not.toMatch(/\\ud[89a-f]/i);
});

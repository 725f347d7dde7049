import { toProjectPath } from "@treadle/protocol/project-path";
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { REAL_ANSWERS, sharedAnswers } from "../../../dialects/src/real-answers.test-support.ts";
import { ALL_TOOLS } from "../tools/all-tools.ts";
import { sentSchema } from "../tools/tool.ts";
import {
  answer,
  finish,
  textParts,
  scriptedModel,
  toldText,
} from "../testing/scripted-model.test-support.ts";
import { htmlWorkspace, ofType, tryRun } from "../testing/try-run.test-support.ts";
import { createTextAnswer } from "./text/text-answer.ts";
import { openActionOf } from "./artifact/open-action.ts";
import { readActions } from "./artifact/read-actions.ts";
import { openParamOf } from "./tags/open-param.ts";
import { readTools } from "./tags/read-tools.ts";
import { tagTools } from "./tags/tag-tools.ts";

const TOOLS = tagTools({
  prompt: [],
  tools: ALL_TOOLS.map(({ name, description, input }) => ({
    type: "function",
    name,
    description,
    inputSchema: sentSchema(input),
  })),
});
/** The parsers below are given pieces of more sizes in `dialects/src/more-shapes.test.ts`. */
const SIZES = [1, 7, Number.MAX_SAFE_INTEGER];
/** Names that the artifact dialect uses for tags unknown to the loop. */
const NAMES = ["write_file", "delete_file", "run_command", "start_server"];

/** The calls that a dialect reads in a text. */
async function callsOf(dialect: "artifact" | "tags", text: string, size: number) {
  const answered = createTextAnswer(
    dialect,
    dialect === "artifact"
      ? { read: (out) => readActions(out, { recover: true }), openingOf: openActionOf }
      : {
          read: (out) => readTools(out, TOOLS),
          openingOf: (written) => openParamOf(written, TOOLS),
        },
  );
  const stream = answered.read();
  const writer = stream.writable.getWriter();
  const writing = (async () => {
    for (let at = 0; at < text.length; at += size)
      await writer.write({ type: "text-delta", id: "t", delta: text.slice(at, at + size) });
    await writer.write({
      type: "finish",
      finishReason: { unified: "stop", raw: "stop" },
      usage: {} as never,
    });
    await writer.close();
  })();
  const calls: { tool: string; input: Record<string, string> }[] = [];
  for await (const part of stream.readable as ReadableStream<LanguageModelV4StreamPart>)
    if (part.type === "tool-call")
      calls.push({ tool: part.toolName, input: JSON.parse(part.input) as Record<string, string> });
  await writing;
  return calls;
}

describe.each(REAL_ANSWERS)("$shape", (one) => {
  it("is the calls that were meant, in every chunking", async () => {
    for (const size of SIZES) {
      const calls = await callsOf(one.dialect, one.text, size);
      expect(calls.every(({ tool }) => NAMES.includes(tool))).toBe(true);
      const written = calls.filter(({ tool }) => tool === "write_file");
      expect(Object.fromEntries(written.map(({ input }) => [input["path"], input["content"]]))).toEqual(one.files); // prettier-ignore
      expect(calls.flatMap(({ input }) => input["command"] ?? [])).toEqual(one.commands ?? []);
      const deleted = calls.filter(({ tool }) => tool === "delete_file");
      expect(deleted.map(({ input }) => input["path"])).toEqual(one.deleted ?? []);
    }
  });

  it("does in a run what was meant", async () => {
    const workspace = htmlWorkspace();
    for (const path of one.deleted ?? []) await workspace.files.write(toProjectPath(path), "old\n");
    const { events } = await tryRun(scriptedModel(answer(one.text), answer("Done.")), {
      dialect: one.dialect,
      workspace,
    });
    for (const [path, content] of Object.entries(one.files))
      expect(workspace.text(path)).toBe(content);
    for (const path of one.deleted ?? []) expect(workspace.text(path)).toBeUndefined();
    expect(ofType(events, "call-end").filter(({ status }) => status !== "ok")).toEqual([]);
  });
});

describe("what is written in no way that is read", () => {
  const PATCH = "*** Begin Patch\n*** Add File: a.ts\n+go();\n*** End Patch\n";
  it.each([
    ["artifact", PATCH],
    ["artifact", "<write_file>\n<path>a.ts</path>\n<content>\ngo();\n</content>\n</write_file>\n"],
    ["tags", PATCH],
    ["tags", '<boltAction type="file" filePath="a.ts">\ngo();\n</boltAction>\n'],
    ["native", PATCH],
    ["native", '<tool_call>\n{"name": "write_file", "arguments": {"path": "a.ts", "content": "go();"}}\n</tool_call>\n'],
  ] as const)("is told to the model in %s, runs nothing, and is named in the summary: %j", async (dialect, text) => {
    const model = scriptedModel(answer(text), answer("Done."));
    const { workspace, result } = await tryRun(model, { dialect, workspace: htmlWorkspace() });
    expect(workspace.paths()).toEqual([]);
    expect(workspace.commands).toEqual([]);
    const prompt = toldText(model.doStreamCalls[1]!);
    expect(prompt).toMatch(/Not carried out: what begins with|Nothing was done: your answer only/);
    expect(result.summary).toContain("was not carried out");
  }); // prettier-ignore

  it("is told beside what was carried out, and is made good by an answer that can be read", async () => {
    const page = '<boltArtifact id="a" title="A">\n<boltAction type="file" filePath="index.html">\n<h1>Hello</h1>\n</boltAction>\n</boltArtifact>\n';
    const model = scriptedModel(answer(page + PATCH), answer(page.replace("Hello", "Hello you")));
    const { workspace, result } = await tryRun(model, { dialect: "artifact", workspace: htmlWorkspace() });
    expect(toldText(model.doStreamCalls[1]!)).toContain("*** Begin Patch");
    expect(workspace.text("index.html")).toBe("<h1>Hello you</h1>\n");
    expect(result.summary).not.toContain("was not carried out");
    const again = await tryRun(scriptedModel(answer(page + PATCH), answer("Done.")), { dialect: "artifact", workspace: htmlWorkspace() });
    expect(again.result.summary).toContain("was not carried out");
  }); // prettier-ignore

  it("an unknown tool in an invoke is answered with the available ones", async () => {
    const call = '<invoke name="teleport">\n<parameter name="to">x</parameter>\n</invoke>\n';
    const { events } = await tryRun(scriptedModel(answer(call), answer("Done.")), {
      dialect: "tags",
    });
    expect(ofType(events, "call-end").map(({ status }) => status)).toEqual(["error"]);
  });
});

describe("an answer that the output limit cut", () => {
  const head =
    '<boltArtifact id="page" title="Page">\n<boltAction type="file" filePath="index.html">\n<h1>Hello</h1>\n</boltAction>\n<boltAction type="file" filePath="main.js">\nconst list = document.createElement("ul");\nfor (const name of ["one", "two"]) {\n  const item = document.createElement("li");\n  item.className = "flex items-center te';
  const fullText =
    'const list = document.createElement("ul");\nfor (const name of ["one", "two"]) {\n  const item = document.createElement("li");\n  item.className = "flex items-center text-sm";\n  list.append(item);\n}\n';
  const rest = `I'll continue from where I left off with the main.js file:\n\n<boltArtifact id="page-continued" title="Page (Continued)">\n<boltAction type="file" filePath="main.js">\n${fullText}</boltAction>\n</boltArtifact>`;

  it("and that begins again in a new artifact is one file, whole", async () => {
    const { workspace, events, result } = await tryRun(
      scriptedModel([...textParts(head), ...finish("length")], answer(rest)),
      { dialect: "artifact", workspace: htmlWorkspace() },
    );
    expect(workspace.text("main.js")).toBe(fullText);
    expect(ofType(events, "call-end").map(({ status }) => status)).toEqual(["ok", "ok"]);
    expect(result.summary).toMatch(/^Runs: [^;]*; [^;]* not tried\.$/);
  });

  it("and a rewrite in its next step corrects it", async () => {
    const { workspace, result } = await tryRun(
      scriptedModel(
        [...textParts(head), ...finish("stop")],
        answer(rest.slice(rest.indexOf("<boltArtifact"))),
      ),
      { dialect: "artifact", workspace: htmlWorkspace() },
    );
    expect(workspace.text("main.js")).toBe(fullText);
    expect(result.summary).toMatch(/^Runs: [^;]*; [^;]* not tried\.$/);
  });
});

describe("the shared answers", () => {
  const shared = sharedAnswers();
  if (shared.length === 0) it("are absent: they were NOT read", () => {});
  describe.each(shared)("$name", ({ dialect, parts, files, commands, cut, deleted }) => {
    it("is the calls that were meant, in every chunking", async () => {
      for (const size of SIZES) {
        const calls = [];
        for (const text of parts) calls.push(...(await callsOf(dialect, text, size)));
        const written = calls.filter(({ tool }) => tool === "write_file");
        expect([...new Set(written.map(({ input }) => input["path"]))]).toEqual(files);
        expect(calls.flatMap(({ input }) => input["command"] ?? [])).toEqual(commands);
      }
    });

    it("does in a run what was meant, in every chunking", async () => {
      for (const size of SIZES) {
        const workspace = htmlWorkspace();
        if (deleted !== undefined) await workspace.files.write(toProjectPath(deleted), "old\n");
        const answers = parts.map((text, at) => [
          ...inPieces(text, size),
          ...finish(at < parts.length - 1 ? "length" : "stop"),
        ]);
        const { events, result } = await tryRun(scriptedModel(...answers), { dialect, workspace });
        for (const path of files) expect(workspace.text(path)).toBeDefined();
        if (deleted !== undefined) expect(workspace.text(deleted)).toBeUndefined();
        const asked = ofType(events, "call-end").filter(({ status }) => status !== "ok");
        expect(asked.map(({ status }) => status)).toEqual(cut === undefined ? [] : ["interrupted"]);
        if (cut !== undefined) expect(result.summary).toContain(`${cut} was cut off while it was written`);
      }
    }); // prettier-ignore
  });
});

/** An answer's text, in pieces of this many characters. */
function inPieces(text: string, size: number): LanguageModelV4StreamPart[] {
  const pieces = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return [
    { type: "text-start", id: "said" },
    ...pieces.map((delta) => ({ type: "text-delta" as const, id: "said", delta })),
    { type: "text-end", id: "said" },
  ];
}

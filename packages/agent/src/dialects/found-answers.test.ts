import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { answer, finish, scriptedModel, toldText } from "../testing/scripted-model.test-support.ts";
import { htmlWorkspace, tryRun } from "../testing/try-run.test-support.ts";
import { CARRIED_OUT, NOT_CARRIED_OUT, type FoundAnswer } from "./found-answers.test-support.ts";

async function play({ project, answer: text }: FoundAnswer, size = Number.MAX_SAFE_INTEGER) {
  const workspace = htmlWorkspace({ files: project });
  const pieces: LanguageModelV4StreamPart[] = [];
  for (let at = 0; at < text.length; at += size)
    pieces.push({ type: "text-delta", id: "t", delta: text.slice(at, at + size) });
  const parts: LanguageModelV4StreamPart[] = [
    { type: "text-start", id: "t" },
    ...pieces,
    { type: "text-end", id: "t" },
    ...finish("stop"),
  ];
  const model = scriptedModel(parts, answer("Understood. Nothing more."));
  let ran: string[] | undefined;
  const tried = await tryRun(model, {
    dialect: "artifact",
    workspace,
    // Commands that run for the verdict do not belong to the answer.
    onEvent(event) {
      if (event.type === "step-end") ran ??= [...workspace.commands];
    },
  });
  const second = model.doStreamCalls[1];
  return { ...tried, ran: ran ?? [], told: second && toldText(second) };
}

describe("code in prose that is whole and safe is carried out", () => {
  it.each(CARRIED_OUT)("$name", async (one) => {
    for (const size of [1, 7, Number.MAX_SAFE_INTEGER]) {
      const { workspace, ran } = await play(one, size);
      for (const [path, text] of Object.entries(one.files ?? {}))
        expect([path, workspace.text(path)]).toEqual([path, text]);
      expect(ran).toEqual(one.commands ?? []);
    }
  });
});

describe("code in prose that is a part, or advice, is not carried out", () => {
  it.each(NOT_CARRIED_OUT)("$name", async (one) => {
    for (const size of [1, 7, Number.MAX_SAFE_INTEGER]) {
      const { workspace, ran, told: prompt } = await play(one, size);
      for (const [path, text] of Object.entries({ ...one.project, ...one.files }))
        expect([path, workspace.text(path)]).toEqual([path, text]);
      for (const path of one.absent ?? []) expect(workspace.paths()).not.toContain(path);
      expect(ran).toEqual([]);
      if (one.isReported)
        expect(prompt).toMatch(/Not (?:written|run|deleted|carried out)|Nothing was done|No edit/);
    }
  });
});

import { toProjectPath } from "@treadle/protocol/project-path";
import { describe, expect, it } from "vitest";
import { answer, finish, scriptedModel, toldText } from "../testing/scripted-model.test-support.ts";
import { htmlWorkspace, ofType, tryRun } from "../testing/try-run.test-support.ts";
import { WRITTEN_ANSWERS, type WrittenAnswer } from "./written-answers.test-support.ts";

/** Runs a turn in which the answer is the model's first response, in pieces of one size. */
async function play({ dialect, project = {}, answer: text }: WrittenAnswer, size: number) {
  const workspace = htmlWorkspace();
  for (const [path, content] of Object.entries(project))
    await workspace.files.write(toProjectPath(path), content);
  const pieces = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  const first = [
    { type: "text-start" as const, id: "said" },
    ...pieces.map((delta) => ({ type: "text-delta" as const, id: "said", delta })),
    { type: "text-end" as const, id: "said" },
    ...finish("stop"),
  ];
  const model = scriptedModel(first, answer("Nothing more."), answer("Nothing more."));
  const { events, result } = await tryRun(model, { dialect, workspace });
  const shown = ofType(events, "text").map((event) => event.text);
  return {
    files: Object.fromEntries(workspace.paths().map((path) => [path, workspace.text(path)])),
    calls: ofType(events, "call-input").map(({ input }) => Object.values(input).join(" ")),
    commands: workspace.commands,
    shown: shown.join(""),
    told: model.doStreamCalls.slice(1).map(toldText).join("\n"),
    results: ofType(events, "call-end").map((event) => event.result).join("\n"),
    faults: ofType(events, "evidence").flatMap(({ evidence }) =>
      (evidence.turn ?? []).map(({ said: message }) => message),
    ),
    summary: result.summary,
  }; // prettier-ignore
}

describe.each(WRITTEN_ANSWERS)("$name", (one) => {
  it("is executed as intended, however it is split", async () => {
    const { want } = one;
    const inOnePiece = await play(one, Number.MAX_SAFE_INTEGER);
    for (const size of [1, 7]) {
      const cut = await play(one, size);
      expect({ ...cut, told: "" }).toEqual({ ...inOnePiece, told: "" });
    }
    for (const [path, content] of Object.entries(want.files ?? {}))
      expect({ [path]: inOnePiece.files[path] }).toEqual({ [path]: content });
    for (const path of want.absent ?? []) expect(inOnePiece.files[path]).toBeUndefined();
    for (const call of want.called ?? []) expect(inOnePiece.calls).toContainEqual(expect.stringContaining(call)); // prettier-ignore
    if (want.calls !== undefined) expect(inOnePiece.calls).toHaveLength(want.calls);
    for (const text of want.shownWithout ?? []) expect(inOnePiece.shown).not.toContain(text);
    for (const text of want.shown ?? []) expect(inOnePiece.shown).toContain(text);
    if (want.isTold) {
      expect(inOnePiece.told).toMatch(/Not carried out|Note:|Nothing was done/);
      expect(inOnePiece.summary).toContain("was not carried out");
    }
    if (want.isGuessed) {
      expect(inOnePiece.results).toContain("Note:");
      expect(inOnePiece.faults).toContainEqual(expect.stringContaining("was guessed"));
    }
  });
});

import { toProjectPath } from "@treadle/protocol/project-path";
import { describe, expect, it } from "vitest";
import { createFakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import { answer, call, scriptedModel } from "../testing/scripted-model.test-support.ts";
import { htmlWorkspace, ofType, tryRun } from "../testing/try-run.test-support.ts";

const renames = (from: string, to: string) =>
  scriptedModel(answer("", call("rename_file", { from, to })), answer("Done."));

describe("rename_file", () => {
  it("moves a file, and attributes both paths to the model", async () => {
    const wrote: string[] = [];
    const { workspace, events } = await tryRun(renames("a.ts", "src/b.ts"), {
      workspace: htmlWorkspace({ files: { "a.ts": "let a;" } }),
      ports: {
        wrote: (path, version) => wrote.push(`${path} ${version === "" ? "gone" : "there"}`),
      },
    });
    expect(ofType(events, "call-end")[0]).toMatchObject({ title: "Renamed a.ts to src/b.ts" });
    expect(workspace.paths()).toEqual(["src/b.ts"]);
    expect(wrote).toEqual(["a.ts gone", "src/b.ts there"]);
  });

  it("overwrites nothing", async () => {
    const files = { "a.ts": "a", "b.ts": "b", "c/d.ts": "d" };
    for (const to of ["b.ts", "c"]) {
      const { workspace, events } = await tryRun(renames("a.ts", to), {
        workspace: htmlWorkspace({ files }),
      });
      expect(ofType(events, "call-end")[0]).toMatchObject({ status: "error" });
      expect(workspace.text("b.ts")).toBe("b");
      expect(workspace.text("a.ts")).toBe("a");
    }
  });

  it("does not move a file that the person changed meanwhile (F13)", async () => {
    const { workspace, events } = await tryRun(renames("a.ts", "b.ts"), {
      workspace: htmlWorkspace({ files: { "a.ts": "theirs" } }),
      request: { personWrites: new Map([[toProjectPath("a.ts"), "v2"]]) },
    });
    expect(ofType(events, "call-end")[0]?.result).toContain("the person changed a.ts");
    expect(workspace.text("a.ts")).toBe("theirs");
  });

  it("reports a missing file", async () => {
    const { events } = await tryRun(renames("none.ts", "b.ts"), {
      workspace: createFakeWorkspace(),
    });
    expect(ofType(events, "call-end")[0]).toMatchObject({ status: "error" });
  });
});

describe("ask_user", () => {
  it.each(["native", "tags"] as const)(
    "waits, and the answer is the result (%s)",
    async (dialect) => {
      const asks =
        dialect === "native"
          ? answer("", call("ask_user", { question: "Which colour?", choices: ["red", "blue"] }))
          : answer(
              '<ask_user>\n<question>Which colour?</question>\n<choices>["red", "blue"]</choices>\n</ask_user>',
            );
      const first = await tryRun(scriptedModel(asks), { dialect });
      expect(first.result.outcome).toBe("waiting");
      const [asked] = ofType(first.events, "question");
      expect(asked?.question).toMatchObject({
        kind: "words",
        text: "Which colour?",
        choices: ["red", "blue"],
      });
      const [waits] = ofType(first.events, "suspended");
      if (!asked || !waits) throw new Error("it did not wait");
      const { events } = await tryRun(scriptedModel(answer("Blue it is.")), {
        dialect,
        request: {
          history: first.saved,
          resume: {
            state: waits.state,
            question: asked.question,
            answer: { kind: "words", text: "blue" },
          },
        },
      });
      expect(ofType(events, "call-end")[0]?.result).toBe("The person answered: blue");
    },
  );
});

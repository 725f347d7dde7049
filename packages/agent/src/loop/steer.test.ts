import type { UIMessage } from "ai";
import { describe, expect, it } from "vitest";
import { orderProblems } from "../testing/check-order.test-support.ts";
import { answer, call, scriptedModel, toldText } from "../testing/scripted-model.test-support.ts";
import { ofType, tryRun } from "../testing/try-run.test-support.ts";

/** Returns the message once, after that many steps. */
function later(text: string, from = 1) {
  let asked = 0;
  return async (): Promise<UIMessage[]> =>
    ++asked === from ? [{ id: "m2", role: "user", parts: [{ type: "text", text }] }] : [];
}

const page = { path: "index.html", content: "<h1>hi</h1>" };
const WRITE = {
  native: answer("I write.", call("write_file", page)),
  artifact: answer(
    'I write.\n<boltArtifact id="a" title="A"><boltAction type="file" filePath="index.html"><h1>hi</h1></boltAction></boltArtifact>',
  ),
  tags: answer(
    "I write.\n<write_file>\n<path>index.html</path>\n<content>\n<h1>hi</h1>\n</content>\n</write_file>",
  ),
};

describe("a message that the person sends while the model works", () => {
  it.each(["native", "artifact", "tags"] as const)(
    "reaches the next step in the dialect %s, after the results and before any observation",
    async (dialect) => {
      const model = scriptedModel(WRITE[dialect], answer("Blue it is."));
      const { result, events, saved } = await tryRun(model, {
        dialect,
        request: { takeSteering: later("Make it blue, please") },
      });
      expect(orderProblems(events)).toEqual([]);
      expect(model.doStreamCalls).toHaveLength(2);
      const second = toldText(model.doStreamCalls[1]!);
      const toldAt = second.indexOf(ofType(events, "call-end")[0]?.result ?? "?");
      expect(toldAt).toBeGreaterThan(0);
      expect(second.indexOf("Make it blue, please")).toBeGreaterThan(toldAt);
      expect(result).toMatchObject({ verdict: "runs", steps: 2 });
      const looked = events.findIndex(({ type }) => type === "evidence");
      expect(looked).toBeGreaterThan(events.findLastIndex(({ type }) => type === "step-end"));
      expect(ofType(events, "message-taken")).toMatchObject([{ message: "m2" }]);
      expect(saved.at(-1)?.parts.at(-1)).toMatchObject({ text: "Blue it is." });
    },
  );

  it("is read even if the model has just called finish", async () => {
    const model = scriptedModel(WRITE.native, answer("Done."), answer("Blue it is."));
    await tryRun(model, { request: { takeSteering: later("Make it blue", 2) } });
    expect(model.doStreamCalls).toHaveLength(3);
    expect(toldText(model.doStreamCalls[2]!)).toContain("Make it blue");
  });
});

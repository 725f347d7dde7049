import { describe, expect, it } from "vitest";
import { orderProblems } from "../testing/check-order.test-support.ts";
import {
  answer,
  finish,
  say,
  scriptedModel,
  toldText,
} from "../testing/scripted-model.test-support.ts";
import { ofType, tryRun, type TryOptions } from "../testing/try-run.test-support.ts";

const cut = (text: string) => [...say(text), ...finish("length")];
const LINES = Array.from({ length: 400 }, (_, n) => `  <li id="n${n}">Number ${n}</li>`);
const FILE = `<ul>\n${LINES.join("\n")}\n</ul>\n`;
const ARTIFACT = `I write it.

<boltArtifact id="list" title="A list">
<boltAction type="shell">npm run lint</boltAction>
<boltAction type="file" filePath="index.html">
${FILE}</boltAction>
<boltAction type="start">treadle-serve</boltAction>
</boltArtifact>

There it is.`;
const TAGS = `I write it.

<run_command>
<command>npm run lint</command>
</run_command>
<write_file>
<path>index.html</path>
<content>
${FILE}</content>
</write_file>`;

/** The text up to a place in it, and from there. */
function cutAt(text: string, place: string, inside = 0): [string, string] {
  const at = text.indexOf(place) + inside;
  return [text.slice(0, at), text.slice(at)];
}

async function tryCut(
  dialect: "artifact" | "tags",
  [head, ...rest]: string[],
  options: TryOptions = {},
) {
  const told: string[] = [];
  const pieces = [...rest].map((text, index) => (asked: Parameters<typeof toldText>[0]) => {
    told.push(toldText(asked));
    return index === rest.length - 1 ? answer(text) : cut(text);
  });
  const tried = await tryRun(scriptedModel(cut(head ?? ""), ...pieces), { dialect, ...options });
  expect(orderProblems(tried.events)).toEqual([]);
  const writes = ofType(tried.events, "call-open").filter(({ tool }) => tool === "write_file");
  return { ...tried, told, writes };
}

describe("an answer in words that the output limit cuts", () => {
  it("is gone on with in the same place: one text in the log, one part in the message, nothing of ours between", async () => {
    let told = "";
    const { events, saved, result } = await tryRun(
      scriptedModel(cut("The quick brown "), (asked) => {
        told = toldText(asked);
        return answer("fox jumps.");
      }),
    );
    expect(orderProblems(events)).toEqual([]);
    const texts = ofType(events, "text");
    expect(new Set(texts.map(({ id }) => id)).size).toBe(1);
    expect(texts.map(({ text }) => text).join("")).toBe("The quick brown fox jumps.");
    expect(new Set(saved.map(({ id }) => id))).toEqual(new Set(["m1", "r1.reply"]));
    expect(saved.at(-1)?.parts).toEqual([
      { type: "step-start" },
      { type: "text", text: "The quick brown fox jumps.", state: "done" },
    ]);
    expect(told).toContain("The quick brown ");
    expect(told).toContain("cut at its output limit");
    expect(result).toMatchObject({ outcome: "done", steps: 2 });
  });

  it("is shown once what it repeats, and keeps what was thought in between before its words", async () => {
    const thought = (text: string) => [
      { type: "reasoning-start" as const, id: "th" },
      { type: "reasoning-delta" as const, id: "th", delta: text },
      { type: "reasoning-end" as const, id: "th" },
    ];
    const { events, saved } = await tryRun(
      scriptedModel(
        [...thought("one"), ...cut("First a line.\nThen the second")],
        cut("Then the second line.\nAnd a th"),
        [...thought("two"), ...answer("ird.")],
      ),
    );
    const whole = "First a line.\nThen the second line.\nAnd a third.";
    const texts = ofType(events, "text");
    expect(new Set(texts.map(({ id }) => id)).size).toBe(1);
    expect(texts.map(({ text }) => text).join("")).toBe(whole);
    expect(saved.at(-1)?.parts.map((part) => ("text" in part ? part.text : part.type))).toEqual([
      "step-start",
      "one",
      "First a line.\nThen the second line.\nAnd a th",
      "two",
      "ird.",
    ]);
  });

  it("is gone on with a bounded number of times, then that is said", async () => {
    const words = ["one ", "two ", "three ", "four ", "five ", "six "];
    const { result, events, saved } = await tryRun(scriptedModel(...words.map(cut)));
    expect(result).toMatchObject({ outcome: "error", steps: 5 });
    expect(ofType(events, "run-end")[0]?.error?.code).toBe("output-limit");
    expect(saved.at(-1)?.parts.at(-1)).toMatchObject({ text: "one two three four five " });
  });

  it("ends with that said when it does not grow", async () => {
    const same = Array.from({ length: 9 }, () => cut("The same words again."));
    const { result, events } = await tryRun(scriptedModel(...same));
    expect(result.steps).toBe(2);
    expect(ofType(events, "run-end")[0]?.error?.code).toBe("output-limit");
  });

  it("ends with its budget, and keeps what was said", async () => {
    const { result, saved, events } = await tryRun(
      scriptedModel(cut("one "), cut("two "), answer("three")),
      { limits: { steps: 2 } },
    );
    expect(orderProblems(events)).toEqual([]);
    expect(result).toMatchObject({ outcome: "budget", steps: 2 });
    expect(saved.at(-1)?.parts.at(-1)).toMatchObject({ text: "one two " });
  });
});

describe.each([
  ["artifact", ARTIFACT],
  ["tags", TAGS],
] as const)("a file that the output limit cuts in the dialect %s", (dialect, text) => {
  const [head, rest] = cutAt(text, "Number 250", 4);

  it("goes on where it was cut: one call, one stream of its content, one file", async () => {
    const { workspace, events, result, writes, saved, told } = await tryCut(dialect, [head, rest]);
    expect(workspace.text("index.html")).toBe(FILE);
    expect(writes).toHaveLength(1);
    const deltas = ofType(events, "call-delta").filter(({ field }) => field === "content");
    expect(deltas.map(({ text: piece }) => piece).join("")).toBe(FILE);
    expect(new Set(deltas.map(({ call: id }) => id)).size).toBe(1);
    expect(workspace.commands.filter((command) => command === "npm run lint")).toHaveLength(1);
    expect(result).toMatchObject({ verdict: "verified" });
    // It is shown its own words up to the cut, and the history keeps nothing of that.
    expect(told[0]).toContain(JSON.stringify(head).slice(1, -1));
    expect(told[0]).toContain("cut at its output limit");
    expect(JSON.stringify(saved)).not.toContain("cut at its output limit");
    expect(new Set(saved.map(({ id }) => id))).toEqual(new Set(["m1", "r1.reply"]));
  });
});

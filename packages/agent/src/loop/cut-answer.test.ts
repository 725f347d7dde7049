import { APICallError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { orderProblems } from "../testing/check-order.test-support.ts";
import {
  answer,
  call,
  finish,
  textParts,
  scriptedModel,
  streamOf,
  toldText,
} from "../testing/scripted-model.test-support.ts";
import { ofType, tryRun, type TryOptions } from "../testing/try-run.test-support.ts";
import { settleHistory } from "../context/conversation/settle-history.ts";

const cut = (text: string) => [...textParts(text), ...finish("length")];
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

/** Splits the text at a place in it. */
function cutAt(text: string, place: string, inside = 0): [string, string] {
  const at = text.indexOf(place) + inside;
  return [text.slice(0, at), text.slice(at)];
}

async function tryCut(
  dialect: "artifact" | "tags",
  [head, ...rest]: string[],
  options: TryOptions = {},
) {
  const prompts: string[] = [];
  const pieces = [...rest].map((text, index) => (asked: Parameters<typeof toldText>[0]) => {
    prompts.push(toldText(asked));
    return index === rest.length - 1 ? answer(text) : cut(text);
  });
  const tried = await tryRun(scriptedModel(cut(head ?? ""), ...pieces), { dialect, ...options });
  expect(orderProblems(tried.events)).toEqual([]);
  const writes = ofType(tried.events, "call-open").filter(({ tool }) => tool === "write_file");
  return { ...tried, prompts, writes };
}

describe("a text answer that the output limit cuts", () => {
  it("is continued in place: one text in the log, one part in the message, and no text of ours between", async () => {
    let prompt = "";
    const { events, saved, result } = await tryRun(
      scriptedModel(cut("The quick brown "), (asked) => {
        prompt = toldText(asked);
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
    expect(prompt).toContain("The quick brown ");
    expect(prompt).toContain("cut at its output limit");
    expect(result).toMatchObject({ outcome: "done", steps: 2 });
  });

  it("shows repeated text once, and keeps the reasoning in between before its text", async () => {
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
    const fullAnswer = "First a line.\nThen the second line.\nAnd a third.";
    const texts = ofType(events, "text");
    expect(new Set(texts.map(({ id }) => id)).size).toBe(1);
    expect(texts.map(({ text }) => text).join("")).toBe(fullAnswer);
    expect(saved.at(-1)?.parts.map((part) => ("text" in part ? part.text : part.type))).toEqual([
      "step-start",
      "one",
      "First a line.\nThen the second line.\nAnd a th",
      "two",
      "ird.",
    ]);
  });

  it("is continued a limited number of times, then the limit is reported", async () => {
    const words = ["one ", "two ", "three ", "four ", "five ", "six "];
    const { result, events, saved } = await tryRun(scriptedModel(...words.map(cut)));
    expect(result).toMatchObject({ outcome: "error", steps: 5 });
    expect(ofType(events, "run-end")[0]?.error?.code).toBe("output-limit");
    expect(saved.at(-1)?.parts.at(-1)).toMatchObject({ text: "one two three four five " });
  });

  it("ends with the limit reported if the continuation adds nothing", async () => {
    const same = Array.from({ length: 9 }, () => cut("The same words again."));
    const { result, events } = await tryRun(scriptedModel(...same));
    expect(result.steps).toBe(2);
    expect(ofType(events, "run-end")[0]?.error?.code).toBe("output-limit");
  });

  it("ends with the limit reported if it held only reasoning, as there is nothing to continue", async () => {
    const thought = [
      { type: "reasoning-start" as const, id: "th" },
      { type: "reasoning-delta" as const, id: "th", delta: "Hm." },
      { type: "reasoning-end" as const, id: "th" },
    ];
    const { result, events } = await tryRun(scriptedModel([...thought, ...finish("length")]));
    expect(result.steps).toBe(1);
    expect(ofType(events, "run-end")[0]?.error?.code).toBe("output-limit");
  });

  it("counts the partial text in the request for the rest", async () => {
    const { events } = await tryRun(scriptedModel(cut("one "), answer("two")));
    const [first, rest] = ofType(events, "step-end").map(({ context }) => context?.parts);
    expect(rest?.conversation).toBe((first?.conversation ?? 0) + 10);
  });

  it("ends at the budget and keeps the partial text", async () => {
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

  it("continues where it was cut: one call, one content stream, one file", async () => {
    const { workspace, events, result, writes, saved, prompts } = await tryCut(dialect, [
      head,
      rest,
    ]);
    expect(workspace.text("index.html")).toBe(FILE);
    expect(writes).toHaveLength(1);
    const deltas = ofType(events, "call-delta").filter(({ field }) => field === "content");
    expect(deltas.map(({ text: piece }) => piece).join("")).toBe(FILE);
    expect(new Set(deltas.map(({ call: id }) => id)).size).toBe(1);
    expect(workspace.commands.filter((command) => command === "npm run lint")).toHaveLength(1);
    expect(result).toMatchObject({ verdict: "runs" });
    // The model sees its own text up to the cut; the history does not keep that copy.
    expect(prompts[0]).toContain(JSON.stringify(head).slice(1, -1));
    expect(prompts[0]).toContain("cut at its output limit");
    expect(JSON.stringify(saved)).not.toContain("cut at its output limit");
    expect(new Set(saved.map(({ id }) => id))).toEqual(new Set(["m1", "r1.reply"]));
  });

  it("is replaced in place if the model starts it again: the new content replaces what was shown", async () => {
    const open = dialect === "artifact" ? '<boltAction type="file"' : "<write_file>";
    const other = text.slice(text.indexOf(open)).replace("Number 7<", "Number seven<");
    const { workspace, events, writes, result } = await tryCut(dialect, [head, other]);
    expect(workspace.text("index.html")).toBe(FILE.replace("Number 7<", "Number seven<"));
    expect(writes).toHaveLength(1);
    let shown = "";
    for (const { field, text: piece, whole: isComplete } of ofType(events, "call-delta"))
      if (field === "content") shown = isComplete ? piece : shown + piece;
    expect(shown).toBe(workspace.text("index.html"));
    expect(result).toMatchObject({ verdict: "runs" });
  });

  it("is saved while it is produced, so that a later reader, or one after a crash, has it", async () => {
    const { saved } = await tryCut(dialect, [head, rest]);
    const [, half] = saved;
    expect(half?.parts.map(({ type }) => type)).toEqual([
      "step-start",
      "text",
      "tool-run_command",
      "tool-write_file",
    ]);
    const settled = settleHistory([half!])[0]!.parts.at(-1);
    expect(settled).toMatchObject({ state: "output-error", input: { path: "index.html" } });
  });

  it("is not written if the rest does not join; the model is told to make it smaller and asked again", async () => {
    const broken = `${dialect === "artifact" ? '<boltAction type="file" filePath="index.html">' : "<write_file>\n<path>index.html</path>\n<content>"}\nsomething else\n${text.slice(text.indexOf("</ul>"))}`;
    const { workspace, events, result } = await tryCut(dialect, [head, broken, text]);
    const [first, second] = ofType(events, "call-end").filter(({ title }) =>
      /index\.html/.test(title),
    );
    expect(first).toMatchObject({
      status: "interrupted",
      title: "Interrupted: write_file index.html",
    });
    expect(second?.status).toBe("ok");
    expect(workspace.text("index.html")).toBe(FILE);
    expect(result.verdict).toBe("runs");
  });

  it("is continued a limited number of times, then interrupted with advice to make it smaller", async () => {
    const at = [0, 60, 120, 180, 240, 300].map((n) => text.indexOf(`Number ${n}<`));
    const pieces = at.slice(1).map((to, index) => text.slice(index === 0 ? 0 : at[index], to));
    const { workspace, events, prompts } = await tryCut(dialect, [...pieces, "Then not."]);
    expect(workspace.text("index.html")).toBeUndefined();
    expect(prompts).toHaveLength(5);
    expect(prompts.slice(0, 4).every((asked) => asked.includes("cut at its output limit"))).toBe(
      true,
    );
    expect(prompts[4]).toContain("reached its output limit inside this call");
    expect(prompts[4]).toContain("divide the file into several");
    expect(ofType(events, "call-end").map(({ status }) => status)).toEqual(["ok", "interrupted"]);
  });

  it.each(["end", new Error("gone")] as const)(
    "runs none of its calls if the rest breaks off (F1, F2): %s",
    async (breaks) => {
      for (let at = 1; at < 40; at += 13) {
        const { workspace, events } = await tryRun(
          scriptedModel(cut(head), () =>
            streamOf(textParts(rest.slice(0, 2_000)).slice(0, at), breaks),
          ),
          { dialect, limits: { modelTries: 1, goOns: 0 } },
        );
        expect(orderProblems(events)).toEqual([]);
        expect(workspace.text("index.html")).toBeUndefined();
        expect(ofType(events, "call-end").at(-1)?.status).toBe("interrupted");
        expect(ofType(events, "run-end")[0]).toMatchObject({ outcome: "error" });
      }
    },
  );

  it("continues after the request for the rest was refused and repeated", async () => {
    const busy = new APICallError({
      message: "busy",
      url: "",
      requestBodyValues: {},
      statusCode: 529,
    });
    const { workspace, events, result } = await tryRun(
      scriptedModel(cut(head), busy, answer(rest)),
      { dialect },
    );
    expect(orderProblems(events)).toEqual([]);
    expect(workspace.text("index.html")).toBe(FILE);
    expect(result).toMatchObject({ verdict: "runs" });
  });

  it("is not continued beyond the budget, nor after a stop", async () => {
    const { result, events, workspace } = await tryRun(scriptedModel(cut(head), answer(rest)), {
      dialect,
      limits: { steps: 1 },
    });
    expect(orderProblems(events)).toEqual([]);
    expect(result).toMatchObject({ outcome: "budget", steps: 1 });
    expect(workspace.text("index.html")).toBeUndefined();

    const stop = new AbortController();
    const stopped = await tryRun(
      scriptedModel(cut(head), () => streamOf(textParts(rest).slice(0, 30), "hang")),
      {
        dialect,
        signal: stop.signal,
        onEvent: (event) =>
          event.type === "step-start" && event.step === 2 && setTimeout(() => stop.abort(), 0),
      },
    );
    expect(orderProblems(stopped.events)).toEqual([]);
    expect(stopped.result).toMatchObject({ outcome: "stopped", steps: 2 });
    expect(stopped.workspace.text("index.html")).toBeUndefined();
  });

  it("does not run while the person is asked about an earlier call", async () => {
    const { result, events, saved } = await tryRun(scriptedModel(cut(head), answer(rest)), {
      dialect,
      ports: { approvals: { policy: () => ({ mode: "ask", always: [] }), isSigned: () => false } },
    });
    expect(result.outcome).toBe("waiting");
    expect(ofType(events, "call-end")).toMatchObject([{ status: "interrupted" }]);
    expect(saved.at(-1)?.parts.slice(-2)).toMatchObject([
      { type: "tool-run_command", state: "input-available" },
      { type: "tool-write_file", state: "output-error" },
    ]);
  });
});

describe("a native call that the output limit cuts", () => {
  const long = (n: number) =>
    call("write_file", { path: `long-${n}.html`, content: "<h1>long</h1>" }).slice(0, 4);

  it("is not continued: the model is told how to write it in parts, a limited number of times", async () => {
    const prompts: string[] = [];
    const { result, events, workspace } = await tryRun(
      scriptedModel(
        ...Array.from({ length: 9 }, (_, n) => (asked: Parameters<typeof toldText>[0]) => {
          prompts.push(toldText(asked));
          return [...long(n), ...finish("length")];
        }),
      ),
    );
    expect(orderProblems(events)).toEqual([]);
    expect(prompts).toHaveLength(4);
    expect(prompts[1]).toContain(
      "ended by a line that you replace with the next part by edit_file",
    );
    expect(prompts[1]).not.toContain("Go on with it");
    expect(workspace.paths()).toEqual([]);
    expect(result).toMatchObject({ outcome: "error" });
    expect(ofType(events, "run-end")[0]?.error).toMatchObject({
      code: "output-limit",
      message: expect.stringContaining("Ask for less at once"),
    });
  });
});

import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finish, textParts, scriptedModel } from "../../testing/scripted-model.test-support.ts";
import { withDialect } from "../with-dialect.ts";
import { ASKS_TO_GO_ON } from "./go-on.ts";
import { lastWordsAt } from "./repeated-end.ts";
import { letters } from "./letters.ts";
import { LINE_LEAST, OVERLAP_LEAST } from "./limits.ts";

type Dialect = "artifact" | "tags";

const tool = (name: string, ...params: string[]): LanguageModelV4FunctionTool => ({
  type: "function",
  name,
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(params.map((param) => [param, { type: "string" }])),
  },
});
const OPTIONS: LanguageModelV4CallOptions = {
  prompt: [{ role: "user", content: [{ type: "text", text: "Build it" }] }],
  tools: [tool("write_file", "path", "content"), tool("run_command", "command")],
};

interface Read {
  /** Arguments of the complete calls, in order. */
  calls: unknown[];
  /** Ids of calls that were started. */
  begun: string[];
  text: string;
  prompts: LanguageModelV4CallOptions["prompt"][];
}

/** Reads a model's answer that arrives in pieces: each but the last is cut at the output limit. */
async function readPieces(dialect: Dialect | "native", pieces: string[]): Promise<Read> {
  const read: Read = { calls: [], begun: [], text: "", prompts: [] };
  const model = scriptedModel(
    ...pieces.map((piece, index) => (asked: LanguageModelV4CallOptions) => {
      read.prompts.push(asked.prompt);
      return [...textParts(piece), ...finish(index < pieces.length - 1 ? "length" : "stop")];
    }),
  );
  const spoken = withDialect(model, dialect);
  for (const index of pieces.keys()) {
    const rest = index === 0 ? {} : { providerOptions: ASKS_TO_GO_ON };
    const { stream } = await spoken.doStream({ ...OPTIONS, ...rest });
    for await (const part of stream) take(read, part);
  }
  return read;
}

function take(read: Read, part: LanguageModelV4StreamPart): void {
  if (part.type === "text-delta") read.text += part.delta;
  if (part.type === "tool-input-start") read.begun.push(part.id);
  if (part.type === "tool-call") read.calls.push(JSON.parse(part.input));
}

interface File {
  path: string;
  lines: string[];
}

function written(dialect: Dialect, files: readonly File[]): string {
  const [before, after] =
    dialect === "artifact"
      ? ['I do.\n\n<boltArtifact id="a" title="A">\n', "\n</boltArtifact>\n\nDone."]
      : ["I do.\n\n", ""];
  const calls = files.map(
    ({ path, lines }) => `${OPEN[dialect](path)}${lines.join("\n")}\n${CLOSE[dialect]}`,
  );
  return `${before}${calls.join("\n")}${after}`;
}

const OPEN: Record<Dialect, (path: string) => string> = {
  artifact: (path) => `<boltAction type="file" filePath="${path}">\n`,
  tags: (path) => `<write_file>\n<path>${path}</path>\n<content>\n`,
};
const CLOSE: Record<Dialect, string> = {
  artifact: "</boltAction>",
  tags: "</content>\n</write_file>",
};
const contents = (files: readonly File[]) =>
  files.map(({ path, lines }) => ({ path, content: `${lines.join("\n")}\n` }));

/** Lines as in code, without duplicates: for repeated lines, nobody can tell how often they were meant. */
const someFiles = fc
  .array(
    fc.array(
      fc.record({
        indent: fc.integer({ min: 0, max: 6 }),
        body: fc.constantFrom(
          "}",
          "</div>",
          "const x =",
          "return (",
          "",
          "`",
          "<p>Grüße 🙂</p>",
          "- item",
          "// …",
        ),
      }),
      { minLength: 1, maxLength: 30 },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((all) =>
    all.map((lines, file): File => ({
      path: `src/file-${file}.tsx`,
      lines: lines.map(({ indent, body }, line) => `${" ".repeat(indent)}${body} n${file}x${line}`),
    })),
  );
/** Positions in a text, as fractions of its length. */
const somePlaces = fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), {
  minLength: 1,
  maxLength: 3,
});

/** What models write before the rest of a file that was cut. */
const someHabits = fc.record({
  words: fc.constantFrom(
    "",
    "Continuing from where I left off:\n\n",
    "Sure! Here is the rest of the file…\n",
  ),
  fence: fc.constantFrom("", "```tsx\n", "```\n"),
  tags: fc.boolean(),
  /** How many lines before the cut they start again. */
  back: fc.nat(4),
  /** Whether they drop leading white space, as at the start of any answer. */
  drops: fc.boolean(),
});

describe.each(["artifact", "tags"] as const)(
  "an answer in the dialect %s, cut and gone on with",
  (dialect) => {
    it("is the same files however it is cut, and whatever of it is repeated", async () => {
      await fc.assert(
        fc.asyncProperty(
          someFiles,
          somePlaces,
          fc.array(fc.nat(200), { minLength: 3, maxLength: 3 }),
          async (files, places, repeats) => {
            const text = written(dialect, files);
            const at = [
              ...new Set(
                places.map((place) => between(text, 1 + Math.floor(place * (text.length - 1)))),
              ),
            ].sort((a, b) => a - b);
            const pieces = at.map((to, index) => {
              const from = index === 0 ? 0 : startOf(text, at[index - 1]!, repeats[index - 1]!);
              return text.slice(from, to);
            });
            pieces.push(text.slice(startOf(text, at.at(-1)!, repeats[at.length - 1]!)));
            const { calls } = await readPieces(dialect, pieces);
            // If a file ends like the one before it, it may look restarted, and is then written twice.
            const last = new Map((calls as { path: string }[]).map((call) => [call.path, call]));
            expect([...last.values()]).toEqual(contents(files));
          },
        ),
        { numRuns: 150 },
      );
    });

    it("produces the same files whatever precedes the rest: remarks, a code fence, or repeated tags", async () => {
      await fc.assert(
        fc.asyncProperty(
          someFiles,
          fc.nat(),
          fc.nat(),
          someHabits,
          async (files, which, place, habits) => {
            const text = written(dialect, files);
            const { path, lines } = files[which % files.length]!;
            const content = `${lines.join("\n")}\n`;
            const from = text.indexOf(content);
            const at = between(text, from + (place % (content.length + 1)));
            // Starts at the line that was cut, or some lines earlier.
            let start = Math.max(from, text.lastIndexOf("\n", at - 1) + 1);
            for (let back = 0; back < habits.back && start > from; back++)
              start = Math.max(from, text.lastIndexOf("\n", start - 2) + 1);
            // A few characters may match by chance, unless they are those of the line that was cut.
            const line = Math.max(from, text.lastIndexOf("\n", at - 1) + 1);
            const isBare = habits.words + habits.fence === "" && !habits.tags;
            if (letters(text.slice(start, at)) < OVERLAP_LEAST)
              start = isBare && letters(text.slice(line, at)) < LINE_LEAST ? at : line;
            let rest = text.slice(start);
            if (habits.drops && letters(text.slice(start, at)) > 0) rest = rest.trimStart();
            if (habits.fence !== "")
              rest = rest.replace(`\n${CLOSE[dialect]}`, `\n\`\`\`\n${CLOSE[dialect]}`);
            const tags = habits.tags ? OPEN[dialect](path) : "";
            const head =
              dialect === "artifact" && habits.tags ? '<boltArtifact id="a" title="A">\n' : "";
            const pieces = [text.slice(0, at), habits.words + habits.fence + head + tags + rest];
            const { calls, begun } = await readPieces(dialect, pieces);
            expect(calls).toEqual(contents(files));
            expect(begun).toHaveLength(files.length);
          },
        ),
        { numRuns: 150 },
      );
    });
  },
);

/** The position, or the one before it if it would split a character. */
function between(text: string, at: number): number {
  return /^[\udc00-\udfff]/.test(text.slice(at, at + 1)) ? at - 1 : at;
}

/**
 * Where a model that repeats this many characters starts again. A short repetition in the middle of a line may be
 * chance.
 */
function startOf(text: string, cut: number, repeat: number): number {
  // As the request asks.
  if (repeat > 150) return lastWordsAt(text.slice(0, cut));
  const from = between(text, Math.max(0, cut - repeat));
  return letters(text.slice(from, cut)) < OVERLAP_LEAST ? cut : from;
}

describe("the rest of a cut answer", () => {
  const begin = `I do.\n\n<boltArtifact id="a" title="A">\n${OPEN.artifact("src/a.ts")}`;
  const end = "</boltAction>\n</boltArtifact>";
  const file = Array.from({ length: 30 }, (_, n) => `export const value${n} = ${n};`);
  const content = `${file.join("\n")}\n`;
  const cutAt = (words: string) => begin + content.slice(0, content.indexOf(words));
  const contentsOf = ({ calls }: Read) =>
    calls.map((call) => (call as { content: string }).content);

  it("that is the same file from its first line is not written twice, be it the same or another", async () => {
    const same = await readPieces("artifact", [cutAt("19 ="), `${begin}${content}${end}`]);
    expect(contentsOf(same)).toEqual([content]);
    const other = content.replace("value2 = 2", "value2 = 22");
    const anew = await readPieces("artifact", [cutAt("19 ="), `${begin}${other}${end}`]);
    expect(contentsOf(anew)).toEqual([other]);
    // Still one call: it is restarted, and the new arguments replace the old ones.
    expect(new Set(anew.begun).size).toBe(1);
    const bare = await readPieces("artifact", [cutAt("19 ="), `${other}${end}`]);
    expect(contentsOf(bare)).toEqual([other]);
  });

  it("is shown to the model that is cut again as if it had written it in one piece", async () => {
    const other = content.replace("value2 = 2", "value2 = 22");
    const { prompts } = await readPieces("artifact", [
      cutAt("19 ="),
      `${begin}${other.slice(0, 200)}`,
      `${other.slice(200)}${end}`,
    ]);
    expect(prompts[2]?.at(-2)).toEqual({
      role: "assistant",
      content: [{ type: "text", text: begin + other.slice(0, 200) }],
    });
    expect(prompts[2]?.at(-1)?.role).toBe("user");
  });

  it("that began a file again and was cut again before it was where it had been, does not grow", async () => {
    const read = await readPieces("artifact", [
      cutAt("19 ="),
      content.slice(0, 120),
      `${content.slice(content.indexOf("19 ="))}${end}`,
    ]);
    expect(contentsOf(read)).toEqual([content]);
  });

  it("that leaves the open file for another one leaves it unwritten", async () => {
    const rest = `${OPEN.artifact("src/b.ts")}b\n</boltAction>\n</boltArtifact>`;
    const { calls } = await readPieces("artifact", [cutAt("19 ="), rest]);
    expect(calls).toEqual([{ path: "src/b.ts", content: "b\n" }]);
  });

  it("is not written if its position is unclear: a line that was cut off does not continue after a tag", async () => {
    const rest = `${OPEN.artifact("src/a.ts")}  return other;\n${end}`;
    const { calls, begun } = await readPieces("artifact", [cutAt("19 ="), rest]);
    expect(calls).toEqual([]);
    expect(begun).toHaveLength(1);
  });

  it("is joined where the repeated last words are, as requested, even among many similar lines", async () => {
    const row = "    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],\n";
    const map = `[\n${row.repeat(12)}];\n`;
    for (let at = 1; at < map.length; at++) {
      const before = begin + map.slice(0, at);
      const rest = `${before.slice(lastWordsAt(before))}${map.slice(at)}${end}`;
      const { calls, prompts } = await readPieces("artifact", [before, rest]);
      expect(calls, `cut at ${at}`).toEqual([{ path: "src/a.ts", content: map }]);
      const asked = JSON.stringify(prompts[1]?.at(-1));
      expect(asked).toContain(
        JSON.stringify(before.slice(lastWordsAt(before)).trimEnd()).slice(1, -1),
      );
    }
  });

  it("keeps text that occurs several times as often as it was written if the words are not repeated", async () => {
    const row = `const row = [${"0, ".repeat(60)}0];\n`;
    for (let at = 1; at < row.length; at++) {
      const pieces = [begin + row.slice(0, at), `${row.slice(at)}${end}`];
      expect(contentsOf(await readPieces("artifact", pieces)), `cut at ${at}`).toEqual([row]);
    }
  });

  it("keeps fences and sentences of a file that is prose", async () => {
    const text =
      "# Setup\n\nContinuing is easy:\n\n```sh\nnpm start\n```\n\nContinue with this:\n\n```sh\nnpm test\n```\n";
    const head = begin.replace("src/a.ts", "README.md");
    for (let at = 1; at < text.length; at++) {
      const read = await readPieces("artifact", [
        head + text.slice(0, at),
        `${text.slice(at)}${end}`,
      ]);
      expect(contentsOf(read), `cut at ${at}`).toEqual([text]);
    }
  });

  it("continues in fenced code that was read as a file, also after another fence", async () => {
    const before = "Create src/a.ts:\n\n```ts\n";
    for (const start of ["", "```ts\n", "Continuing:\n\n```\n"]) {
      const at = content.indexOf("19 =");
      const line = start === "" ? at : content.lastIndexOf("\n", at) + 1;
      const rest = `${start}${content.slice(line)}\`\`\`\n`;
      const read = await readPieces("artifact", [before + content.slice(0, at), rest]);
      expect(read.calls, start).toEqual([{ path: "src/a.ts", content }]);
    }
    const other = content.replace("value2 = 2", "value2 = 22");
    const anew = await readPieces("artifact", [
      before + content.slice(0, 500),
      `\`\`\`ts\n${other}\`\`\`\n`,
    ]);
    expect(anew.calls).toEqual([{ path: "src/a.ts", content: other }]);
  });

  it("goes on in a group that is opened again as the same, also between its actions", async () => {
    const one = `${begin}a\n</boltAction>\n`;
    const two = `<boltArtifact id="a" title="A">\n${OPEN.artifact("src/b.ts")}b\n${end}`;
    const { calls } = await readPieces("artifact", [one, two]);
    expect(calls).toHaveLength(2);
  });

  it("of words repeats none of them", async () => {
    const read = await readPieces("native", [
      "It has three parts.\nThe first is the list",
      "The first is the list, the second",
      " the form.",
    ]);
    expect(read.text).toBe("It has three parts.\nThe first is the list, the second the form.");
  });

  it("is held back for no longer than a doubt, and in linear time", async () => {
    const long = Array.from({ length: 20_000 }, (_, n) => `  <li id="n${n}">Number ${n}</li>`).join(
      "\n",
    );
    const cut = long.slice(0, long.length / 2);
    const read = await readPieces("artifact", [begin + cut, `${begin}${long}\n${end}`]);
    expect(contentsOf(read)).toEqual([`${long}\n`]);
  });
});

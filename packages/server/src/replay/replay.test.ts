import { untriedEvidence } from "@treadle/protocol/evidence";
import { expect, it } from "vitest";
import {
  transcriptDifferences,
  readTranscript,
  transcriptLines,
  type Transcript,
} from "@treadle/transcripts";
import { replayWithFakes } from "./replay.test-support.ts";

const usage = { inputTokens: { total: 10 }, outputTokens: { total: 5 } };
const finish = (unified: string) => ({
  type: "finish",
  finishReason: { unified, raw: unified },
  usage,
});
const callOf = (id: string, toolName: string, input: object) => ({
  type: "tool-call",
  toolCallId: id,
  toolName,
  input: JSON.stringify(input),
});

/** A transcript as a person could write it by hand; the rest is recorded when it is replayed. */
function written(...answers: object[][]): Transcript {
  const request = { system: "", tools: [], messages: [] };
  return {
    treadle: "0.0.0",
    name: "A page",
    before: [],
    files: { "notes.txt": "old\n" },
    turns: [
      {
        asked: { text: "Build a page" },
        pictures: [],
        model: {
          id: "fake:one",
          provider: "fake",
          modelId: "one",
          dialect: "native",
          takesTemperature: true,
        },
        settings: { hosts: [], approvals: { mode: "auto", always: [] }, verdicts: "quick" },
        changed: {},
        exchanges: answers.map((answer) => ({
          kind: "step" as const,
          request,
          answer: answer as never,
        })),
        calls: [],
        answers: [],
        looks: [untriedEvidence("")],
        end: { outcome: "done", summary: "", steps: answers.length },
      },
    ],
  };
}

const BUILT = written(
  [
    callOf("c1", "write_file", { path: "index.html", content: "<h1>Hi</h1>\n" }),
    callOf("c2", "edit_file", { path: "notes.txt", edits: [{ old: "old", new: "new" }] }),
    finish("tool-calls"),
  ],
  [callOf("c3", "finish", { summary: "A page." }), finish("tool-calls")],
);

it("a replay's own transcript, replayed again, shows no difference", async () => {
  const first = await replayWithFakes(BUILT);
  expect(first.turns[0]!.exchanges[0]!.request.system).toContain("Treadle");
  expect(first.turns[0]!.calls.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
    "write_file ok",
    "edit_file ok",
    "finish ok",
  ]);
  expect(first.files).toEqual(BUILT.files);
  const transcript = readTranscript([...transcriptLines(first)].join(""));
  expect(transcript).toEqual(JSON.parse(JSON.stringify(first)));
  expect(transcriptDifferences(transcript, await replayWithFakes(transcript))).toEqual([]);
}, 30_000);

it("shows a different prompt, tool result or verdict where it differs", async () => {
  const first = await replayWithFakes(BUILT);
  const [turn] = first.turns;
  turn!.exchanges[0]!.request.system += "\nAlways be kind.";
  turn!.calls[0]!.result = "Written, and more.";
  turn!.end.verdict = "verified";
  const found = transcriptDifferences(first, await replayWithFakes(first));
  expect(found.map(({ kind, where }) => `${kind}: ${where}`)).toEqual([
    "system: request 1",
    "result: write_file 1",
    "verdict: turn",
  ]);
  expect(found[0]!.diff).toContain("-Always be kind.");
}, 30_000);

it("masks keys in messages, commands and files", async () => {
  const key = `sk-ant-api03-${"aB3dE5fG7h".repeat(9)}AA`;
  const first = await replayWithFakes({
    ...written([
      callOf("c1", "write_file", { path: "config.js", content: `const key = "${key}";\n` }),
      finish("tool-calls"),
    ]),
    files: { "old.js": `const key = "${key}";\n` },
  });
  const text = [...transcriptLines(first)].join("");
  expect(text).not.toContain(key);
  expect(text).toContain("•••");
}, 30_000);

it.each([
  ["nothing", ""],
  ["something else", "hello\n"],
  ["another version", '{"transcript":99,"treadle":"9","name":"x"}\n'],
  ["a line before the first", '{"files":{}}\n'],
  ["a turn without an end", `${[...transcriptLines(BUILT)].slice(0, -1).join("")}`],
  [
    "a part that is not there",
    `${[...transcriptLines(BUILT)].filter((line) => !line.startsWith('{"piece"')).join("")}`,
  ],
])("refuses a file with %s, which is no transcript", (_, text) => {
  expect(() => readTranscript(text)).toThrow(/^Line \d+ of the transcript cannot be read: /);
});

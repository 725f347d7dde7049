import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { EVENT_LIMIT } from "../async/coalesce.ts";
import { ANSWER_CALLS, ANSWER_CHARS } from "../models/wire/limits.ts";
import {
  answer,
  call,
  finish,
  rawCall,
  scriptedModel,
} from "../testing/scripted-model.test-support.ts";
import { ofType, tryRun } from "../testing/try-run.test-support.ts";

type Part = LanguageModelV4StreamPart;

/** A stream of the generator's values, each produced when it is read. */
function streamFrom(parts: Iterable<Part>): ReadableStream<Part> {
  const iterator = parts[Symbol.iterator]();
  return new ReadableStream<Part>(
    {
      pull(controller) {
        const { done, value } = iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

const endless = (parts: () => Iterable<Part>) => scriptedModel(() => streamFrom(parts()));

const PAGE = call("write_file", { path: "index.html", content: "<h1>Hi</h1>" });

function* words(delta: string, before: Part[] = []): Generator<Part> {
  yield* before;
  yield { type: "text-start", id: "t" };
  for (;;) yield { type: "text-delta", id: "t", delta };
}

describe("F33 an answer without end", () => {
  it.each([
    ["of many pieces", "word ".repeat(100)],
    ["of long pieces", "x".repeat(1024 * 1024)],
    ["in one piece of 50 MB", "x".repeat(50 * 1024 * 1024)],
  ])(
    "of words %s is ended with a sentence; what was whole before it is carried out",
    async (_, delta) => {
      const { result, events, workspace } = await tryRun(endless(() => words(delta, PAGE)));
      expect(result).toMatchObject({
        outcome: "error",
        summary: expect.stringContaining("more than"),
      });
      expect(ofType(events, "run-end")[0]?.error).toMatchObject({ code: "output-limit", canContinue: true }); // prettier-ignore
      expect(workspace.text("index.html")).toBe("<h1>Hi</h1>");
      const texts = ofType(events, "text").map(({ text }) => text);
      expect(texts.join("").length).toBeLessThanOrEqual(ANSWER_CHARS);
      expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(EVENT_LIMIT);
    },
  );

  it("with 100,000 calls is ended at the limit of calls, and those within the limit run", async () => {
    const model = endless(function* () {
      for (let n = 0; n < 100_000; n++)
        yield { type: "tool-call", toolCallId: `c${n}`, toolName: "write_file", input: `{"path":"f${n}.txt","content":"x"}` }; // prettier-ignore
      yield* finish("tool-calls");
    });
    const { result, events } = await tryRun(model);
    expect(result.outcome).toBe("error");
    const ends = ofType(events, "call-end");
    expect(ends).toHaveLength(ANSWER_CALLS);
    expect(ends.every(({ status }) => status === "ok")).toBe(true);
  });

  it("with 200,000 blocks is ended", async () => {
    const model = endless(function* () {
      for (let n = 0; n < 200_000; n++) yield { type: "text-start", id: `t${n}` };
      yield* finish();
    });
    expect((await tryRun(model)).result).toMatchObject({ outcome: "error", summary: expect.stringContaining("blocks") }); // prettier-ignore
  });

  it.each([9_999, 40_000_000])(
    "within the arguments of a call, in pieces of %i, is ended; the call does not run",
    async (piece) => {
      const json = JSON.stringify({ path: "big.txt", content: "x".repeat(40_000_000) });
      const model = endless(function* () {
        yield* PAGE;
        yield { type: "tool-input-start", id: "big", toolName: "write_file" };
        for (let at = 0; at < json.length; at += piece)
          yield { type: "tool-input-delta", id: "big", delta: json.slice(at, at + piece) };
        yield { type: "tool-call", toolCallId: "big", toolName: "write_file", input: json };
        yield* finish("tool-calls");
      });
      const { result, events, workspace } = await tryRun(model);
      expect(result.outcome).toBe("error");
      expect(workspace.text("index.html")).toBe("<h1>Hi</h1>");
      expect(workspace.text("big.txt")).toBeUndefined();
      expect(ofType(events, "call-end").map(({ status }) => status)).toEqual(["ok", "interrupted"]);
    },
  );

  it("is not caused by arguments nested 100,000 deep: the model is told, and continues", async () => {
    const deep = `{"path":"a.txt","content":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const { result, events } = await tryRun(
      scriptedModel(answer("", rawCall("write_file", deep, 5_000)), answer("So be it.")),
    );
    expect(result.outcome).toBe("done");
    expect(ofType(events, "call-end")).toMatchObject([{ status: "error", result: expect.stringContaining("deep") }]); // prettier-ignore
  });

  it("is read further only once the earlier part is on disk", async () => {
    let sent = 0;
    let waiting = 0;
    let write = () => {};
    const model = endless(function* () {
      for (const part of words("x".repeat(100_000))) {
        sent++;
        yield part;
      }
    });
    const stop = new AbortController();
    const run = tryRun(model, {
      signal: stop.signal,
      ports: {
        log: {
          append: () => {},
          settled: () =>
            sent === 0 ? Promise.resolve() : new Promise((resolve) => { waiting++; write = resolve; }), // prettier-ignore
        },
      },
    });
    const waitFor = async (count: number) => {
      while (waiting < count) await new Promise((resolve) => setImmediate(resolve));
      // Everything that can be read without the disk has been read by now.
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    await waitFor(1);
    const first = sent;
    // Only a few pieces are in flight between the provider and the log, however many follow.
    expect(first).toBeLessThan(50);
    write();
    await waitFor(2);
    expect(sent).toBeGreaterThan(first);
    expect(sent - first).toBeLessThan(50);
    stop.abort();
    expect((await run).result.outcome).toBe("stopped");
  });

  it("ends the run with the store's error if the log cannot be written", async () => {
    let sent = 0;
    const model = endless(function* () {
      for (const part of words("x".repeat(100_000))) {
        sent++;
        yield part;
      }
    });
    const { result } = await tryRun(model, {
      ports: {
        log: {
          append: () => {},
          settled: async () => {
            if (sent > 0) throw new Error("The disk is full.");
          },
        },
      },
    });
    expect(result).toMatchObject({ outcome: "error", summary: "The disk is full." });
    expect(sent).toBeLessThan(50);
  });
});

describe("an empty answer", () => {
  const thoughts: Part[] = [
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", delta: "First I think." },
    { type: "reasoning-end", id: "r" },
    ...finish(),
  ];

  it.each([
    ["nothing", finish()],
    ["blanks", answer("  \n")],
    ["thoughts alone", thoughts],
  ])("but %s is requested again", async (_, empty) => {
    const model = scriptedModel(empty, answer("", PAGE), answer("Done."));
    const { result, workspace } = await tryRun(model);
    expect(workspace.text("index.html")).toBe("<h1>Hi</h1>");
    expect(result.verdict).toBe("runs");
    expect(JSON.stringify(model.doStreamCalls[1]!.prompt)).toContain("was empty");
  });

  it("ends the turn with a message about it if it comes twice", async () => {
    const model = scriptedModel(finish(), thoughts, answer("too late"));
    const { result } = await tryRun(model);
    expect(result).toMatchObject({ outcome: "error", steps: 2 });
    expect(result.summary).toContain("nothing");
  });

  it("ends the turn if it follows text or changes", async () => {
    const changed = await tryRun(scriptedModel(answer("", PAGE), finish()));
    expect(changed.result).toMatchObject({ outcome: "done", verdict: "runs", steps: 2 });
    const ignored = await tryRun(
      scriptedModel(answer("I look.", call("list_files", {})), finish()),
    );
    expect(ignored.result).toMatchObject({ outcome: "done", steps: 2 });
  });
});

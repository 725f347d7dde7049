import { toProjectPath } from "@treadle/protocol/project-path";
import type { LogEntry, LogEvent } from "@treadle/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acceptedKey } from "@treadle/protocol/fold";
import { MAX_OUTPUT_CHARS, completeCall } from "./apply-to-call.ts";
import { emptyView, fold } from "./fold.ts";
import { textOf, type Gathered } from "./gathered.ts";
import { evidenceOf, logOf, NO_USAGE, sampleRun } from "./log.test-support.ts";
import { callOf as findCall } from "./select.ts";
import type { CallItem, ProjectView } from "./types.ts";

type FilesEvent = Extract<LogEvent, { type: "files" }>;

/** A view with its gathered texts joined, so that two views can be compared. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return [...value].map(plain);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  if ("pieces" in value) return textOf(value as Gathered);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([key, one]) => [key, plain(one)]),
  );
}

const callOf = (view: ProjectView, call: string): CallItem => {
  const item = findCall(view, call);
  if (!item) throw new Error(`no call ${call}`);
  return item;
};

describe("the fold of a log", () => {
  it("says of a call that the log has it with head and tail, and takes the whole when it comes", () => {
    const [open, write] = sampleRun().filter(
      ({ type }) => type === "run-start" || type === "call-open",
    );
    const { call } = write as { call: string };
    const end: LogEvent = {
      type: "call-end",
      call,
      status: "ok",
      title: "",
      result: "a…b",
      cut: 9,
      ms: 1,
    };
    const delta = { type: "call-delta" as const, call, field: "content", whole: true as const };
    const view = fold(
      emptyView(),
      logOf(
        open!,
        { type: "step-start", run: "r1", step: 1 },
        write!,
        { ...delta, text: "h…t", cut: 5_000 },
        end,
      ),
    );
    const short = callOf(view, call);
    expect([short.cut, textOf(short.fields.get("content")!)]).toEqual([true, "h…t"]);
    const fullCall = completeCall(
      short,
      logOf({ ...delta, text: "head and tail" }, { ...end, result: "all", cut: undefined }),
    );
    expect([fullCall.cut, textOf(fullCall.fields.get("content")!), fullCall.result]).toEqual([
      undefined,
      "head and tail",
      "all",
    ]);
  });

  it("keeps a call with complete arguments waiting until it is started", () => {
    const status = (count: number) => {
      const item = fold(emptyView(), logOf(...sampleRun().slice(0, count))).turns[0]?.items.at(-1);
      return item?.kind === "call" ? item.status : undefined;
    };
    expect([status(10), status(11), status(12), status(13)]).toEqual([
      "writing",
      "waiting",
      "running",
      "ok",
    ]);
  });

  it("gives the same view however the entries are cut into batches", () => {
    const entries = logOf(...sampleRun(), ...sampleRun("r2", "m2"));
    const foldedAtOnce = plain(fold(emptyView(), entries));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 7 })), (sizes) => {
        let view = emptyView();
        let at = 0;
        for (const size of sizes) view = fold(view, entries.slice(at, (at += size)));
        view = fold(view, entries.slice(at));
        expect(plain(view)).toEqual(foldedAtOnce);
      }),
    );
  });

  it("passes over entries that it knows, so that a replay changes nothing (F10)", () => {
    const entries = logOf(...sampleRun());
    const view = fold(emptyView(), entries);
    expect(fold(view, entries)).toBe(view);
    expect(fold(view, entries.slice(3, 9))).toBe(view);
  });

  it("never changes a view that was given out", () => {
    const entries = logOf(...sampleRun());
    const first = fold(emptyView(), entries.slice(0, 9));
    const before = JSON.stringify(plain(first));
    fold(first, entries.slice(9));
    fold(first, entries.slice(9, 11));
    expect(JSON.stringify(plain(first))).toBe(before);
  });

  it("keeps the identity of turns that were not touched", () => {
    const entries = logOf(...sampleRun(), ...sampleRun("r2", "m2"));
    const half = entries.length / 2;
    const view = fold(emptyView(), entries.slice(0, half));
    expect(fold(view, entries.slice(half)).turns[0]).toBe(view.turns[0]);
  });

  it("replaces pieces with the complete text, wherever the reader was", () => {
    const head = sampleRun().slice(0, 5);
    const pieces = ["I'll ", "use ", "React."];
    const texts = pieces.map((text) => ({ type: "text" as const, run: "r1", id: "t", text }));
    const entries = logOf(...head, ...texts);
    const compacted: LogEntry = {
      seq: entries.length,
      at: 0,
      event: { type: "text", run: "r1", id: "t", text: "I'll use React.", whole: true },
    };
    for (let read = 0; read < pieces.length; read += 1) {
      const view = fold(fold(emptyView(), entries.slice(0, head.length + read)), [compacted]);
      const item = view.turns[0]?.items[0];
      expect(item?.kind === "text" && textOf(item.text)).toBe("I'll use React.");
      expect(view.turns[0]?.items).toHaveLength(1);
    }
  });

  it("continues a call that the output limit cut off across the end of a step, and restarts it if the model does", () => {
    const ends = { type: "step-end" as const, run: "r1", usage: NO_USAGE };
    const delta = { type: "call-delta" as const, call: "c", field: "content", path: "a.ts" };
    const events: LogEvent[] = [
      ...sampleRun().slice(0, 4),
      { type: "text", run: "r1", id: "t", text: "I wri" },
      { ...ends, step: 1, finish: "length" },
      { type: "step-start", run: "r1", step: 2 },
      { type: "text", run: "r1", id: "t", text: "te it." },
      { type: "call-open", run: "r1", call: "c", tool: "write_file" },
      { ...delta, text: "one\ntw" },
      { ...ends, step: 2, finish: "length" },
      { type: "step-start", run: "r1", step: 3 },
      { ...delta, text: "o\nthr" },
      { ...ends, step: 3, finish: "length" },
      { type: "step-start", run: "r1", step: 4 },
      { ...delta, text: "1\n", whole: true },
      { ...delta, text: "2\n" },
    ];
    const shown = (view: ProjectView) =>
      view.turns[0]?.items.map((item) =>
        item.kind === "text"
          ? textOf(item.text)
          : item.kind === "call" && textOf(item.fields.get("content")!),
      );
    const entries = logOf(...events);
    for (let read = 0; read <= entries.length; read += 1) {
      const before = fold(emptyView(), entries.slice(0, read));
      expect(shown(fold(before, entries.slice(read)))).toEqual(["I write it.", "1\n2\n"]);
    }
    expect(shown(fold(emptyView(), entries.slice(0, -4)))).toEqual([
      "I write it.",
      "one\ntwo\nthr",
    ]);
  });

  it("ends a wait with the next event of the same run", () => {
    const entries = logOf(...sampleRun());
    expect(fold(emptyView(), entries.slice(0, 5)).turns[0]?.waiting?.text).toBe(
      "Waiting for the model",
    );
    expect(fold(emptyView(), entries.slice(0, 6)).turns[0]?.waiting).toBeUndefined();
  });

  it("keeps a file's text as it streams, with its path", () => {
    const view = fold(emptyView(), logOf(...sampleRun().slice(0, 10)));
    const call = callOf(view, "r1-w");
    expect(call.status).toBe("writing");
    expect(call.path).toBe("src/App.tsx");
    expect(textOf(call.fields.get("content") as Gathered)).toBe("export const a = 1;\n");
  });

  it("is one line for each revision that was looked at", () => {
    const view = fold(emptyView(), logOf(...sampleRun()));
    const looks = view.turns[0]?.items.filter((item) => item.kind === "look");
    expect(looks?.map((item) => item.kind === "look" && item.evidence.revision)).toEqual([
      "r1-v1",
      "r1-v2",
    ]);
  });

  it("shows a queued message as queued until its run starts (F14)", () => {
    const queued = {
      type: "message",
      message: "m2",
      role: "user",
      text: "next",
      queued: true,
    } as const;
    const view = fold(emptyView(), logOf(...sampleRun(), queued));
    expect(view.turns[1]?.queued).toBe(true);
    const start = {
      type: "run-start",
      run: "r2",
      message: "m2",
      model: "x:y",
      dialect: "native",
    } as const;
    const later = fold(emptyView(), logOf(...sampleRun(), queued, start));
    expect(later.turns[1]?.queued).toBe(false);
    expect(later.open).toBe(1);
  });

  it("remembers that a queued message is to be sent at the next step", () => {
    const queued: LogEvent = {
      type: "message",
      message: "m2",
      role: "user",
      text: "Red",
      queued: true,
    };
    const hurried: LogEvent = { type: "message-hurried", message: "m2" };
    const turns = (...events: LogEvent[]) => fold(emptyView(), logOf(...events)).turns;
    expect(turns(queued)[0]?.hurried).toBeUndefined();
    expect(turns(queued, hurried)[0]?.hurried).toBe(true);
    // It has no effect on a message that was withdrawn, or that already has its own run.
    expect(turns(hurried)).toEqual([]);
    expect(turns(...sampleRun(), { ...hurried, message: "m1" })[0]?.hurried).toBeUndefined();
  });

  it("says in the turn that pictures were refused, if they were", () => {
    const events = sampleRun();
    const at = events.findIndex(({ type }) => type === "step-start") + 1;
    events.splice(at, 0, { type: "pictures-refused", run: "r1", model: "openai:x" });
    expect(fold(emptyView(), logOf(...events)).turns[0]?.items[0]).toEqual({
      kind: "pictures-refused",
      model: "openai:x",
    });
  });

  it("lists the missing tool servers in the turn", () => {
    const servers = [{ name: "notes", why: "The program ended with code 1." }];
    const events = sampleRun();
    const at = events.findIndex(({ type }) => type === "step-start");
    events.splice(at, 0, { type: "tools-missing", run: "r1", servers });
    expect(fold(emptyView(), logOf(...events)).turns[0]?.items[0]).toEqual({
      kind: "tools-missing",
      servers,
    });
  });

  it("says in the turn which protected files were changed, and knows what was accepted (A24)", () => {
    const events = sampleRun();
    const at = events.findIndex(({ type }) => type === "step-start");
    const files = [{ path: toProjectPath("AGENTS.md"), version: "v1", told: true }];
    events.splice(at, 0, { type: "protected-changed", run: "r1", state: "stands", files });
    const view = fold(emptyView(), logOf(...events));
    expect(view.turns[0]?.items[0]).toEqual({ kind: "protected-files", state: "stands", files });
    expect(view.accepted.size).toBe(0);
    const accepted: LogEvent = {
      type: "protected-accepted",
      path: toProjectPath("AGENTS.md"),
      version: "v1",
    };
    const later = fold(emptyView(), logOf(...events, accepted));
    expect(later.accepted.has(acceptedKey(toProjectPath("AGENTS.md"), "v1"))).toBe(true);
    expect(later.accepted.has(acceptedKey(toProjectPath("AGENTS.md"), "v2"))).toBe(false);
  });

  it("takes odd field names as plain data (A46)", () => {
    const events = sampleRun().slice(0, 8);
    const view = fold(
      emptyView(),
      logOf(
        ...events,
        { type: "call-delta", call: "r1-w", field: "__proto__", text: "x" },
        { type: "call-delta", call: "r1-w", field: "constructor", text: "y" },
      ),
    );
    const { fields } = callOf(view, "r1-w");
    expect([...fields.keys()]).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  it("keeps the end of an endless output (F18)", () => {
    const piece = "x".repeat(10_000);
    const events = sampleRun().slice(0, 17);
    const outputs = Array.from({ length: 100 }, () => ({
      type: "output" as const,
      call: "r1-i",
      text: piece,
    }));
    const { output } = callOf(fold(emptyView(), logOf(...events, ...outputs)), "r1-i");
    expect(output?.length).toBe(1_000_000);
    expect(textOf(output as Gathered).length).toBeLessThanOrEqual(2 * MAX_OUTPUT_CHARS);
  });

  it("does not count a late report of the model's own write as a change after the verdict", () => {
    const late: FilesEvent = {
      type: "files",
      changes: [{ path: toProjectPath("src/App.tsx"), kind: "written", by: "model", size: 1 }],
    };
    expect(fold(emptyView(), logOf(...sampleRun(), late)).revision).toBe("r1-v2");
    const person: FilesEvent = {
      type: "files",
      changes: [{ path: toProjectPath("src/App.tsx"), kind: "written", by: "person", size: 1 }],
    };
    expect(fold(emptyView(), logOf(...sampleRun(), person)).revision).toBeUndefined();
  });

  it("a run without a revision does not clear the current revision", () => {
    const end = {
      type: "run-end",
      run: "r2",
      outcome: "error",
      summary: "No model.",
      revision: "",
      steps: 0,
      usage: NO_USAGE,
      ms: 1,
    } as const;
    expect(fold(emptyView(), logOf(...sampleRun(), end)).revision).toBe("r1-v2");
  });

  it("folds a hundred thousand pieces in linear time", () => {
    const pieces = (count: number) =>
      logOf(
        ...sampleRun().slice(0, 8),
        ...Array.from({ length: count }, () => ({
          type: "call-delta" as const,
          call: "r1-w",
          field: "content",
          text: "0123456789abcdef",
          path: "a.ts",
        })),
      );
    const view = fold(emptyView(), pieces(100_000));
    expect(callOf(view, "r1-w").fields.get("content")?.length).toBe(1_600_000);
  });

  it("ends a look with the run that it belongs to", () => {
    const events = sampleRun().slice(0, 23);
    const end: LogEvent = {
      type: "run-end",
      run: "r1",
      outcome: "interrupted",
      summary: "",
      revision: "r1-v1",
      steps: 1,
      usage: NO_USAGE,
      ms: 1,
    };
    const view = fold(emptyView(), logOf(...events, end));
    expect(view.evidence?.parts.page.state).toBe("untried");
  });

  it("counts an entry of unknown type as read", () => {
    const odd = { seq: 1, at: 0, event: { type: "from-the-future" } } as unknown as LogEntry;
    expect(fold(emptyView(), [odd]).seq).toBe(1);
  });

  it("records a look at an API, which has no page", () => {
    const none = { state: "inapplicable" as const, summary: "an API has none" };
    const evidence = evidenceOf("v9", "held", { build: none, page: none, console: none });
    const events = sampleRun().slice(0, 5);
    const view = fold(emptyView(), logOf(...events, { type: "evidence", evidence, run: "r1" }));
    expect(view.turns[0]?.items).toEqual([{ kind: "look", evidence }]);
  });

  it("records no look for evidence that covers only the installation", () => {
    const evidence = evidenceOf("v9", "untried", { install: { state: "held", summary: "ok" } });
    const events = sampleRun().slice(0, 5);
    const view = fold(emptyView(), logOf(...events, { type: "evidence", evidence, run: "r1" }));
    expect(view.turns[0]?.items).toHaveLength(0);
    expect(view.evidence).toBe(evidence);
  });
});

it("keeps the user's answer with the call that asked", () => {
  const log = (answer: Extract<LogEvent, { type: "answer" }>["answer"]) =>
    fold(
      emptyView(),
      logOf(
        { type: "message", message: "m", role: "user", text: "Build", queued: false },
        { type: "run-start", run: "r", message: "m", model: "x", dialect: "native" },
        { type: "call-open", run: "r", call: "c", tool: "ask_user" },
        {
          type: "question",
          run: "r",
          question: { kind: "words", id: "q", call: "c", text: "Which?", choices: [] },
        },
        { type: "answer", run: "r", question: "q", answer },
      ),
    );
  expect(callOf(log({ kind: "words", text: "Red" }), "c").answer).toBe("Red");
  expect(callOf(log({ kind: "deny", words: "Not that" }), "c").answer).toBe("Not that");
  expect(callOf(log({ kind: "deny" }), "c").answer).toBeUndefined();
});

import type { LogEvent } from "@treadle/protocol";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { toProjectPath } from "@treadle/protocol/project-path";
import type { Store } from "@treadle/store";

/** Characters of a piece, as providers send them. */
const PIECE = 24;
const USAGE = { inputTokens: 9_000, cachedInputTokens: 8_000, outputTokens: 2_500 };
const FILE_LINES = 180;

/** Text like code: neither the same line repeated, nor noise. */
const code = (seed: number, lines: number) =>
  Array.from(
    { length: lines },
    (_, line) =>
      `  const value${(seed * 31 + line * 17) % 997} = read("${((seed + 1) * (line + 7)).toString(36)}", ${line});`,
  ).join("\n");

/**
 * The log of one turn as a run appends it: a message, text, two files written, one command with
 * much output, two files read, a look, a checkpoint, and the end.
 */
export function turn(number: number): LogEvent[] {
  const run = `run-${number}`;
  const events: LogEvent[] = [];
  const add = (event: LogEvent) => void events.push(event);
  const pieces = (text: string, event: (piece: string) => LogEvent) => {
    for (let from = 0; from < text.length; from += PIECE)
      add(event(text.slice(from, from + PIECE)));
  };
  const call = (name: string, tool: string) => {
    const id = `${run}-${name}`;
    add({ type: "call-open", run, call: id, tool });
    return id;
  };
  const end = (id: string, title: string, result: string) =>
    add({ type: "call-end", call: id, status: "ok", title, result, ms: 40 });

  add({
    type: "message",
    message: `m-${number}`,
    role: "user",
    text: `Change ${number}: make it better`,
    queued: false,
  });
  add({ type: "run-start", run, message: `m-${number}`, model: "bench:bench", dialect: "native" });
  add({ type: "step-start", run, step: 1 });
  pieces(
    `I look at what is there and then change it, as asked in turn ${number}. `.repeat(6),
    (text) => ({ type: "text", run, id: `${run}-t`, text }),
  );
  for (const name of ["a", "b"]) {
    const id = call(`read-${name}`, "read_file");
    const input = { path: `src/${name}.ts` };
    add({ type: "call-input", call: id, input });
    add({ type: "call-start", call: id });
    end(id, `Read src/${name}.ts`, code(number, FILE_LINES));
  }
  for (const name of ["a", "b"]) {
    const id = call(`write-${name}`, "write_file");
    const path = toProjectPath(`src/${name}.ts`);
    const content = code(number, FILE_LINES);
    pieces(content, (text) => ({ type: "call-delta", call: id, field: "content", text, path }));
    add({ type: "call-input", call: id, input: { path, content: content.slice(0, 2_000) } });
    add({ type: "call-start", call: id });
    end(id, `Wrote ${path}`, "Written.");
    add({ type: "files", changes: [{ path, kind: "written", by: "model", size: content.length }] });
  }
  const command = call("build", "run_command");
  add({ type: "call-input", call: command, input: { command: "npm run build" } });
  add({ type: "call-start", call: command });
  const output = code(number + 1, 500);
  for (let from = 0; from < output.length; from += 400)
    add({ type: "output", call: command, text: output.slice(from, from + 400) });
  end(command, "Ran npm run build", output.slice(0, 16_000));
  add({ type: "step-end", run, step: 1, finish: "tool-calls", usage: USAGE });
  const evidence = untriedEvidence(`r-${number}`);
  add({ type: "evidence", evidence, run });
  add({
    type: "checkpoint",
    checkpoint: `c-${number}`,
    revision: `r-${number}`,
    label: `Turn ${number}`,
    run,
  });
  add({
    type: "run-end",
    run,
    outcome: "done",
    verdict: "verified",
    summary: "It answers and shows its page.",
    revision: `r-${number}`,
    steps: 1,
    usage: USAGE,
    ms: 30_000,
  });
  return events;
}

/**
 * Appends turns up to that number, compacting after each as a server does.
 * @returns the duration of each compaction, in milliseconds
 */
export async function fill(
  store: Store,
  project: string,
  turns: number,
  from = 0,
): Promise<number[]> {
  const compacting: number[] = [];
  for (let number = from + 1; number <= turns; number++) {
    for (const event of turn(number)) store.log.append(project, event);
    await store.log.settled();
    const began = performance.now();
    await store.log.compact(project);
    compacting.push(performance.now() - began);
  }
  return compacting;
}

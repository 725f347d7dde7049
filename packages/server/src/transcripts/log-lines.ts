import type { LogEntry, LogEvent } from "@treadle/protocol";
import type { Store, StoredMessage } from "@treadle/store";
import { ApiFailure } from "../common/api-failure.ts";

/** Of the lines' form. A reader of an older one reads no newer. */
const VERSION = 1;
/** Bytes of one line, and of all. */
const LINE = 64 * 1024 * 1024;
const ALL = 1024 * 1024 * 1024;
/** Entries that are queued before they have to be on the disk. */
const TOGETHER = 500;

/**
 * What is taken over: what was said, done and seen. What grants something (approvals, hosts, what was agreed to), asks or
 * waits, or names checkpoints and servers of the place that it came from, is not.
 */
export const TAKEN: ReadonlySet<LogEvent["type"]> = new Set([
  "message",
  "message-taken",
  "message-removed",
  "mentioned",
  "run-start",
  "waiting",
  "tools-missing",
  "repair",
  "plan",
  "run-end",
  "step-start",
  "text",
  "reasoning",
  "group",
  "step-end",
  "call-open",
  "call-delta",
  "call-input",
  "call-start",
  "output",
  "call-end",
  "todo",
  "files",
]);

type Line =
  | { treadle: number; name: string }
  | { message: StoredMessage }
  | { at: number; event: LogEvent };

/** Every entry of a project's log, whole, a few at a time. */
export async function* wholeLog(
  store: Store,
  project: string,
  after = 0,
): AsyncGenerator<LogEntry> {
  for (let read = after; ;) {
    const page = await store.log.readWhole(project, read);
    const last = page.at(-1);
    if (!last) return;
    yield* page;
    read = last.seq;
  }
}

/** A project's log and its messages as JSON Lines. */
export async function* logLines(
  store: Store,
  { id, name }: { id: string; name: string },
): AsyncGenerator<string> {
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  yield line({ treadle: VERSION, name });
  for (const message of await store.messages.list(id)) yield line({ message });
  for await (const entry of wholeLog(store, id)) yield line(entry);
}

/**
 * Reads such lines into a new project, whose files are none of this. Nothing is left where one of them cannot be read.
 * @throws ApiFailure that names the line
 */
export async function importLog(
  store: Store,
  lines: AsyncIterable<Uint8Array>,
  parts: { create(name: string): Promise<string>; remove(project: string): Promise<void> },
): Promise<{ id: string; entries: number }> {
  let id: string | undefined;
  let entries = 0;
  const open = new Set<string>();
  try {
    for await (const { number, text } of split(lines)) {
      const line = read(text, number);
      if (number === 1) {
        if (!("treadle" in line)) throw wrong(number, "it does not begin as a log of Treadle");
        if (line.treadle !== VERSION) throw wrong(number, "it is of another Treadle");
        id = await parts.create(String(line.name).slice(0, 200));
        continue;
      }
      if (id === undefined) throw wrong(number, "it comes before the first");
      if ("message" in line) await store.messages.put(id, line.message);
      else if ("event" in line && TAKEN.has(line.event.type)) {
        const { event, at } = line;
        if (event.type === "run-start") open.add(event.run);
        if (event.type === "run-end") open.delete(event.run);
        store.log.append(id, event, at);
        if (++entries % TOGETHER === 0) await store.log.settled();
      }
    }
    if (id === undefined) throw wrong(1, "there is none");
    for (const run of open) store.log.append(id, interrupted(run));
    await store.log.settled();
    await store.log.compact(id);
    return { id, entries };
  } catch (error) {
    if (id !== undefined) await parts.remove(id);
    throw error;
  }
}

function read(text: string, number: number): Line {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    throw wrong(number, "it is no JSON");
  }
  const { treadle, message, event, at } = (line ?? {}) as Record<string, unknown>;
  const kind = (event as { type?: unknown } | undefined)?.type;
  if (typeof kind === "string" && typeof at === "number" && Number.isFinite(at))
    return line as Line;
  if (typeof treadle === "number") return line as Line;
  const { id, role, parts } = (message ?? {}) as Partial<StoredMessage>;
  const isRole = role === "user" || role === "assistant" || role === "system";
  if (typeof id === "string" && isRole && Array.isArray(parts)) return line as Line;
  throw wrong(number, "it is no entry of a log");
}

async function* split(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ number: number; text: string }> {
  const decoder = new TextDecoder();
  let rest = "";
  let number = 0;
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    rest += decoder.decode(piece, { stream: true });
    if (rest.length > LINE || bytes > ALL)
      throw new ApiFailure(
        413,
        "too-large",
        "A log of 1 GB, with lines of 64 MB, is the largest that is taken.",
      );
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) if (text.trim() !== "") yield { number: ++number, text };
  }
  if (rest.trim() !== "") yield { number: ++number, text: rest };
}

const interrupted = (run: string): LogEvent => ({
  type: "run-end",
  run,
  outcome: "interrupted",
  summary: "The log that was imported ends here.",
  revision: "",
  steps: 0,
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  ms: 0,
});

const wrong = (number: number, why: string) =>
  new ApiFailure(422, "bad-log", `Line ${number} was not taken: ${why}. Nothing was kept.`);

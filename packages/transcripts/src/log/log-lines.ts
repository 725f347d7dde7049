import type { LogEvent } from "@treadle/protocol";
import type { Store, StoredMessage } from "@treadle/store";
import { z } from "zod";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { isTooDeep, splitLines } from "./split-lines.ts";
import { wholeLog } from "@treadle/store";
import { readEntry } from "./taken-events.ts";
import { readMessage } from "./taken-messages.ts";

/** Version of the format. Older readers reject newer versions. */
const VERSION = 1;
/**
 * Maximum number of queued entries, and of their characters, before they are flushed: other
 * projects' entries share the queue.
 */
const TOGETHER = { entries: 500, characters: 4 * 1024 * 1024 };

/** Writes a project's log and its messages as JSON Lines. */
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
 * Imports such lines into a new project, without files. Leaves nothing behind if a line is invalid.
 * @param parts `create` receives the name as written, of at most 1,000 characters
 * @throws ApiFailure that names the line
 */
export async function importLog(
  store: Store,
  lines: AsyncIterable<Uint8Array>,
  parts: { create(name: string): Promise<string>; remove(project: string): Promise<void> },
): Promise<{ id: string; entries: number }> {
  let id: string | undefined;
  let entries = 0;
  const queued = { entries: 0, characters: 0 };
  const open = new Set<string>();
  try {
    for await (const { number, text } of splitLines(lines)) {
      const line = read(text, number);
      if (number === 1) {
        if (line.treadle === undefined) throw wrong(number, sentence("log-not-treadle"));
        if (line.treadle !== VERSION) throw wrong(number, sentence("log-other-version"));
        id = await parts.create(typeof line.name === "string" ? line.name.slice(0, 1_000) : "");
        continue;
      }
      if (id === undefined) throw wrong(number, sentence("log-before-first"));
      if (line.message !== undefined) await store.messages.put(id, line.message);
      if (line.entry === undefined) continue;
      const { event, at } = line.entry;
      if (event.type === "run-start") open.add(event.run);
      if (event.type === "run-end") open.delete(event.run);
      store.log.append(id, event, at);
      entries++;
      queued.entries++;
      queued.characters += text.length;
      if (queued.entries < TOGETHER.entries && queued.characters < TOGETHER.characters) continue;
      await store.log.settled();
      queued.entries = queued.characters = 0;
    }
    if (id === undefined) throw wrong(1, sentence("log-empty"));
    for (const run of open) store.log.append(id, interrupted(run));
    await store.log.settled();
    await store.log.compact(id);
    return { id, entries };
  } catch (error) {
    if (id !== undefined) await parts.remove(id);
    throw error;
  }
}

/** A parsed line: the head of the log, a message, an entry, or an entry that is not imported. */
interface Line {
  treadle?: number;
  name?: unknown;
  message?: StoredMessage;
  entry?: { at: number; event: LogEvent };
}

function read(text: string, number: number): Line {
  if (isTooDeep(text)) throw wrong(number, sentence("log-too-deep"));
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    throw wrong(number, sentence("import-no-json"));
  }
  const { treadle, name, message, event, at } = (line ?? {}) as Record<string, unknown>;
  const type = (event as { type?: unknown } | undefined)?.type;
  if (typeof treadle === "number") return { treadle, name };
  try {
    if (typeof type === "string") {
      const entry = readEntry(type, { at, event });
      return entry ? { entry } : {};
    }
    if (message !== undefined) return { message: readMessage(message) };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const place = error.issues[0]?.path.map(String).join(".") ?? "";
    const what = typeof type === "string" ? `“${type.slice(0, 40)}”` : "message";
    throw wrong(
      number,
      place === ""
        ? sentence("log-entry-invalid", { what })
        : sentence("log-entry-invalid-at", { what, place }),
    );
  }
  throw wrong(number, sentence("log-entry-other"));
}

const ENDS = sentence("imported-log-ends");
const interrupted = (run: string): LogEvent => ({
  type: "run-end",
  run,
  outcome: "interrupted",
  summary: ENDS.text,
  summaryCode: ENDS.coded,
  revision: "",
  steps: 0,
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  ms: 0,
});

const wrong = (number: number, why: Sentence) =>
  new ApiFailure(422, "bad-log", sentence("log-line-invalid", { number, why }));

/**
 * Random inputs and what must hold of them, by seed: the short suite runs a few thousand, the soak runs for minutes.
 * Each check returns what is wrong, or undefined.
 */
import { createArtifactParser } from "./artifact/parse.ts";
import { recoverFences } from "./artifact/recovery.ts";
import { formatArtifact } from "./artifact/serialize.ts";
import { createDataStreamDecoder } from "./data-stream/decode.ts";
import { createDataStreamEncoder } from "./data-stream/encode.ts";
import type { DataStreamPart } from "./data-stream/types.ts";
import { createArgumentReader } from "./json-arguments/read.ts";
import type { ArgumentEvent } from "./json-arguments/types.ts";
import { createToolTagParser } from "./tool-tags/parse.ts";
import { formatToolCalls } from "./tool-tags/serialize.ts";

export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed | 0;
  }
  /** A whole number from 0 up to, and without, `below`. */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
  /** Between 0 and `most` fragments, joined. */
  text(fragments: readonly string[], most: number): string {
    return Array.from({ length: this.below(most + 1) }, () => this.pick(fragments)).join("");
  }
  cut(text: string): string[] {
    const most = this.pick([1, 3, 16, 200]);
    const pieces: string[] = [];
    for (let at = 0; at < text.length;) {
      const size = 1 + this.below(most);
      pieces.push(text.slice(at, at + size));
      at += size;
    }
    return pieces;
  }
}

interface AnyEvent {
  type: string;
  text?: string;
}
interface Writer {
  write(chunk: string): void;
  end(): void;
}

/** The events of a text given in pieces, with what pieces may divide joined again. */
function eventsOf<E extends AnyEvent>(
  make: (onEvent: (event: E) => void) => Writer,
  pieces: readonly string[],
): E[] {
  const events: E[] = [];
  const writer = make((event) => {
    const last = events.at(-1);
    if (last && event.text !== undefined && last.type === event.type && sameHead(last, event))
      events[events.length - 1] = { ...last, text: last.text! + event.text };
    else events.push(event);
  });
  for (const piece of pieces) writer.write(piece);
  writer.end();
  writer.write("after the end");
  writer.end();
  return events;
}

function sameHead(a: AnyEvent, b: AnyEvent): boolean {
  return JSON.stringify({ ...a, text: "" }) === JSON.stringify({ ...b, text: "" });
}

/** Whatever the pieces are, the events are the same; the parser does not throw. */
function cutsAlike<E extends AnyEvent>(
  random: Random,
  text: string,
  make: (onEvent: (event: E) => void) => Writer,
): { events: E[]; problem?: string } {
  const events = eventsOf(make, [text]);
  const whole = JSON.stringify(events);
  for (const pieces of [random.cut(text), [...Array(text.length).keys()].map((at) => text[at]!)]) {
    const cut = JSON.stringify(eventsOf(make, pieces));
    if (cut !== whole) return { events, problem: `pieces change the events: ${whole} and ${cut}` };
  }
  return { events };
}

const PROSE = [
  "a", "word ", " ", "\n", "\r\n", "\n\n", "`", "``", "```", "````ts", "```bash\nnpm i\n```", "<", ">",
  "</", "<think>", "</think>", "<thinking>", "</thinking>", "é", "\u{1f600}", "=", '"', "'", "&lt;",
  "src/a.ts:\n", "Create b.js:\n", "// file: c.ts\n", "  ", "\t",
]; // prettier-ignore
export const ARTIFACT = [
  ...PROSE, "<boltArtifact", ' id="x"', ' title="a > b"', " title='&amp;'", ">", "/>", " >",
  '<boltArtifact id="i" title="t">', "</boltArtifact>", "< /boltArtifact>", "</ boltartifact >",
  '<boltAction type="file" filePath="a.ts">', '<boltAction type="shell">', '<boltAction type="start"/>',
  '<boltAction data-type="x" type=build>', '<boltAction type="supabase" operation="query">',
  '<boltAction type="file" filePath="/etc/x">', '<boltAction type="odd">', "</boltAction>", "</BOLTACTION >",
  "</boltAction", "<bolt", "<boltA", "<bolt-quick-actions>", "</bolt-quick-actions>",
  '<bolt-quick-action type="message" message="m">', "</bolt-quick-action>", "<boltActio", "__proto__",
]; // prettier-ignore

/** Opens and closes balance, ordinals count up, deltas make up the content, and the cuts do not matter. */
export function checkArtifact(seed: number): string | undefined {
  const random = new Random(seed);
  const text = random.text(ARTIFACT, 40);
  const recover = random.below(2) === 1;
  const limits = random.below(8) === 0 ? { tagCharacters: 20, contentCharacters: 10 } : {};
  const { events, problem } = cutsAlike<
    Parameters<Parameters<typeof createArtifactParser>[0]["onEvent"]>[0]
  >(random, text, (onEvent) =>
    createArtifactParser({ onEvent, recover: recover ? recoverFences : undefined, limits }),
  );
  if (problem) return problem;
  let artifact: number | undefined;
  let action: number | undefined;
  let artifacts = 0;
  let actions = 0;
  let deltas = "";
  let out = "";
  for (const event of events) {
    if (event.type === "text") {
      if (artifact !== undefined) return "text inside an artifact";
      out += event.text;
    } else if (event.type === "artifact-open") {
      if (artifact !== undefined || event.artifact !== artifacts++)
        return "artifact-open out of turn";
      artifact = event.artifact;
    } else if (event.type === "artifact-close") {
      if (event.artifact !== artifact || action !== undefined) return "artifact-close out of turn";
      artifact = undefined;
    } else if (event.type === "action-open") {
      if (event.artifact !== artifact || action !== undefined || event.action !== actions++)
        return "action-open out of turn";
      action = event.action;
      deltas = "";
    } else if (event.type === "action-delta") {
      if (event.action !== action) return "action-delta out of turn";
      deltas += event.text;
    } else if (event.type === "action-close") {
      if (event.action !== action) return "action-close out of turn";
      if (event.content !== deltas) return "the deltas are not the content";
      action = undefined;
    }
  }
  if (artifact !== undefined || action !== undefined) return "something was left open";
  if (!/<\s*\/?\s*bolt/i.test(text) && !recover && out !== text)
    return "prose was not given out whole";
  return undefined;
}

const CONTENT = [
  "const a = 1;",
  "\n",
  "  ",
  "<div>",
  "</div>",
  "&lt;",
  "`",
  "```",
  "</bolt",
  "é",
  "x",
  "\t",
];

/** What was written as an artifact reads back as the same actions. */
export function checkArtifactRoundTrip(seed: number): string | undefined {
  const random = new Random(seed);
  const actions = Array.from({ length: random.below(4) }, (_, index) => {
    const isFile = random.below(2) === 0;
    const body = random.text(CONTENT, 12).trimEnd();
    if (!isFile)
      return { actionType: random.pick(["shell", "start", "build"]), content: body.trim() };
    const content = body === "" ? "" : `${body}\n`;
    return { actionType: "file", filePath: `src/${index} "<&>'.ts`, content };
  });
  const title = random.text(["a", '"', "'", "<", ">", "&", "&amp;", " b", "="], 8);
  const before = random.text(["word ", "\n", "a < b "], 5);
  const text = before + formatArtifact({ id: `i${seed}`, title, actions });
  const read: unknown[] = [];
  let opened = "";
  const parser = createArtifactParser({
    onEvent: (event) => {
      if (event.type === "artifact-open") opened = event.title;
      if (event.type !== "action-close") return;
      const { actionType, filePath, content, complete } = event;
      read.push({ actionType, ...(filePath === undefined ? {} : { filePath }), content, complete });
    },
  });
  for (const piece of random.cut(text)) parser.write(piece);
  parser.end();
  const wanted = actions.map((action) => ({ ...action, complete: true }));
  if (opened !== title) return `the title ${JSON.stringify(title)} came back as ${opened}`;
  return differs(read, wanted);
}

export const TOOLS = {
  write_file: ["path", "content"],
  read_file: ["path"],
  run: ["command"],
  stop: [],
};
export const TAGS = [
  ...PROSE, "<write_file>", "</write_file>", "<path>", "</path>", "<content>", "</content>", "</content >",
  "<read_file>", "</read_file>", "<run>", "</run>", "<command>", "</command>", "<stop>", "</stop>",
  "<function_calls>", "</function_calls>", '<invoke name="run">', "</invoke>", '<parameter name="command">',
  "</parameter>", '<invoke name="none">', "<invoke>", "<write_fi", "</con", "<invoke name='",
]; // prettier-ignore

export function checkToolTags(seed: number): string | undefined {
  const random = new Random(seed);
  const text = random.text(TAGS, 40);
  const limits = random.below(8) === 0 ? { valueCharacters: 10, heldCharacters: 10 } : {};
  const { events, problem } = cutsAlike<
    Parameters<Parameters<typeof createToolTagParser>[0]["onEvent"]>[0]
  >(random, text, (onEvent) => createToolTagParser({ tools: TOOLS, onEvent, limits }));
  // Where held text is let go depends on the pieces, by design: only then.
  if (problem && !("heldCharacters" in limits)) return problem;
  let tool: number | undefined;
  let param: string | undefined;
  let tools = 0;
  let deltas = "";
  const values = new Map<string, string>();
  let out = "";
  for (const event of events) {
    if (event.type === "text") {
      if (tool !== undefined) return "text inside a tool";
      out += event.text;
    } else if (event.type === "tool-open") {
      if (tool !== undefined || event.tool !== tools++) return "tool-open out of turn";
      tool = event.tool;
      values.clear();
    } else if (event.type === "param-open") {
      if (event.tool !== tool || param !== undefined) return "param-open out of turn";
      param = event.name;
      deltas = "";
    } else if (event.type === "param-delta") {
      if (event.tool !== tool || event.name !== param) return "param-delta out of turn";
      deltas += event.text;
    } else if (event.type === "param-close") {
      if (event.name !== param || event.value !== deltas) return "the deltas are not the value";
      values.set(event.name, event.value);
      param = undefined;
    } else if (event.type === "tool-close") {
      if (event.tool !== tool || param !== undefined) return "tool-close out of turn";
      const wrong = differs(event.params, Object.fromEntries(values));
      if (wrong) return wrong;
      tool = undefined;
    }
  }
  if (tool !== undefined) return "a tool was left open";
  const plain = !/<\/?(?:write_file|read_file|run|stop|invoke|function_calls)/.test(text);
  if (plain && out !== text) return "prose was not given out whole";
  return undefined;
}

export function checkToolTagRoundTrip(seed: number): string | undefined {
  const random = new Random(seed);
  const calls = Array.from({ length: 1 + random.below(3) }, () => {
    const name = random.pick(["write_file", "read_file", "run"] as const);
    const value = () => random.text([...CONTENT, "\r\n", "\r", " ", "<path>", "<run>"], 10);
    return { name, params: Object.fromEntries(TOOLS[name].map((param) => [param, value()])) };
  });
  const read: unknown[] = [];
  const parser = createToolTagParser({
    tools: TOOLS,
    onEvent: (event) => {
      if (event.type !== "tool-close") return;
      const { name, params, complete } = event;
      read.push({ name, params, complete });
    },
  });
  for (const piece of random.cut(formatToolCalls(calls))) parser.write(piece);
  parser.end();
  return differs(
    read,
    calls.map((call) => ({ ...call, complete: true })),
  );
}

/** The strings and scalars of a value, by path, as the reader is to tell them. */
function leavesOf(value: unknown, path: (string | number)[] = []): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
  return [[JSON.stringify(path), value]];
}

/** Native calls are written as JSON: the reader gives back what was written, of a cut text its beginning. */
export function checkArguments(seed: number): string | undefined {
  const random = new Random(seed);
  const value = randomJson(random, 3);
  const text = escapeSome(random, JSON.stringify(value, null, random.pick([0, 2])));
  const cutAt = random.below(3) === 0 ? random.below(text.length + 1) : text.length;
  const garbled = random.below(5) === 0;
  const given = garbled ? mangle(random, text) : text.slice(0, cutAt);
  const { events, problem } = cutsAlike<ArgumentEvent & { text?: string }>(
    random,
    given,
    (onEvent) => createArgumentReader({ onEvent }),
  );
  if (problem) return problem;
  const read: [string, unknown][] = [];
  let open: string | undefined;
  let ends = 0;
  for (const event of events) {
    if (event.type === "end") {
      ends++;
      continue;
    }
    const path = JSON.stringify(event.path);
    if (ends > 0) return "an event behind the end";
    if (event.type === "value") read.push([path, event.value]);
    else if (event.type === "string-open") {
      if (open !== undefined) return "a string opened in another";
      open = path;
      read.push([path, ""]);
    } else if (open !== path) return `${event.type} out of turn`;
    else if (event.type === "string-close") open = undefined;
    else read[read.length - 1]![1] += event.text;
  }
  if (open !== undefined || ends !== 1) return "not ended properly";
  const last = events.at(-1);
  const complete = last?.type === "end" && last.complete;
  if (garbled)
    return complete && !parses(given) && !/,\s*[}\]]|[\n\r\t]/.test(given)
      ? "garbled but complete"
      : undefined;
  if (complete !== parses(given)) return `complete is ${complete}`;
  const wanted = leavesOf(value);
  if (given.length === text.length) return differs(read, wanted);
  // A cut text gives a beginning of what the whole one does; half a number is a number.
  if (typeof value === "number") return undefined;
  return read.every(([path, item], index) => {
    const [wantedPath, wantedItem] = wanted[index] ?? [];
    return (
      path === wantedPath &&
      (item === wantedItem || (typeof item === "string" && String(wantedItem).startsWith(item)))
    );
  })
    ? undefined
    : `a cut text gave ${JSON.stringify(read)} for ${JSON.stringify(wanted)}`;
}

export function checkDataStream(seed: number): string | undefined {
  const random = new Random(seed);
  const encoder = createDataStreamEncoder();
  const parts = Array.from({ length: random.below(8) }, (): DataStreamPart => {
    const value = random.text(["a", "\n", '"', "\\", "é", "\u{1f600}", "0:"], 8);
    return random.pick<DataStreamPart>([
      { type: "text", value },
      { type: "data", value: [value, { value }] },
      { type: "error", value },
      { type: "reasoning", value },
      { type: "tool_call", value: { toolCallId: "1", toolName: value, args: { value } } },
      { type: "finish_message", value: { finishReason: "stop" } },
    ]);
  });
  const text = parts.map((part) => encoder.encode(part)).join("");
  const read = decodeAll(random.cut(text));
  const wrong = differs(read, parts);
  if (wrong) return wrong;
  const garbled = mangle(random, text);
  return differs(decodeAll(random.cut(garbled)), decodeAll([garbled]));
}

function decodeAll(pieces: readonly string[]): unknown[] {
  const decoder = createDataStreamDecoder();
  return [...pieces.flatMap((piece) => decoder.write(piece)), ...decoder.end()];
}

/** What parsers and readers must do; those of edits stand in `fuzz-edits.test-support.ts`. */
export const PARSER_CHECKS = {
  checkArtifact,
  checkArtifactRoundTrip,
  checkToolTags,
  checkToolTagRoundTrip,
  checkArguments,
  checkDataStream,
};

export function differs(got: unknown, wanted: unknown): string | undefined {
  const a = JSON.stringify(got);
  const b = JSON.stringify(wanted);
  return a === b ? undefined : `got ${a} for ${b}`;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function randomJson(random: Random, depth: number): unknown {
  const kind = random.below(depth === 0 ? 5 : 7);
  const string = () =>
    random.text(["a", '"', "\\", "\n", "\u{1f600}", "é", "\u0001", "/", "__proto__x", " "], 6);
  if (kind < 2) return string();
  if (kind === 2) return random.pick([0, -1, 1.5, 1e21, 12345, -0.25e-7]);
  if (kind === 3) return random.pick([true, false]);
  if (kind === 4) return null;
  if (kind === 5)
    return Array.from({ length: random.below(4) }, () => randomJson(random, depth - 1));
  const entries = Array.from({ length: random.below(4) }, (_, index) => [
    `${string()}${index}k`,
    randomJson(random, depth - 1),
  ]);
  return Object.fromEntries(entries);
}

/** Some characters as `\u` escapes, as some models write them. */
function escapeSome(random: Random, json: string): string {
  return json.replace(/[é\ud800-\udfff]/g, (char) =>
    random.below(3) === 0 ? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}` : char,
  );
}

/** Takes out, doubles or swaps a few characters. */
export function mangle(random: Random, text: string): string {
  let out = text;
  for (let count = 1 + random.below(4); count > 0; count--) {
    const at = random.below(out.length + 1);
    const length = random.below(6);
    const middle = random.pick([
      "",
      out.slice(at, at + length).repeat(2),
      "\\",
      '"',
      "\n",
      "=",
      "}",
    ]);
    out = out.slice(0, at) + middle + out.slice(at + length);
  }
  return out;
}

import { createArgumentReader } from "../json-arguments/read.ts";
import type { ArgumentEvent } from "../json-arguments/types.ts";
import { cutsAlike } from "./pieces.test-support.ts";
import { differs, mangle, Random } from "./random.test-support.ts";

/** The strings and scalars of a value, by path, as the reader should report them. */
function leavesOf(value: unknown, path: (string | number)[] = []): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
  return [[JSON.stringify(path), value]];
}

/** The reader returns the written JSON arguments, or for cut text the beginning of them. */
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
  const expected = leavesOf(value);
  if (given.length === text.length) return differs(read, expected);
  // Cut text gives the beginning of the complete result; half a number is still a number.
  if (typeof value === "number") return undefined;
  return read.every(([path, item], index) => {
    const [wantedPath, wantedItem] = expected[index] ?? [];
    return (
      path === wantedPath &&
      (item === wantedItem || (typeof item === "string" && String(wantedItem).startsWith(item)))
    );
  })
    ? undefined
    : `a cut text gave ${JSON.stringify(read)} for ${JSON.stringify(expected)}`;
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

/** Writes some characters as `\u` escapes, as some models do. */
function escapeSome(random: Random, json: string): string {
  return json.replace(/[é\ud800-\udfff]/g, (char) =>
    random.below(3) === 0 ? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}` : char,
  );
}

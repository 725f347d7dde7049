import { offThread } from "@treadle/parsing";
import { MASK } from "./mask.ts";
import { plainCode, plainHtml } from "./plain-html.ts";
import type { parse as codeHtml } from "./code-html.parser.ts";
import type { parse as findKeys } from "./find-keys.parser.ts";
import type { parse as markdownHtml } from "./markdown-html.parser.ts";
import type { parse as redactTexts } from "./redact-texts.parser.ts";

/** Time limit for rendering one text, in milliseconds; an ordinary one takes a few. */
const DRAW_MS = 2_000;
/** Number of slow texts after which the rest of a page is shown as plain text. */
const MAX_SLOW_TEXTS = 4;
/** Time limit for searching a batch of texts for secrets, in milliseconds. */
const SEARCH_MS = 20_000;
/** Maximum size of a batch, in characters. */
const BATCH_CHARS = 256 * 1024;
/**
 * Maximum length of a text rendered as Markdown, in characters; a longer one is shown as plain
 * text.
 */
const MAX_MARKDOWN_CHARS = 60_000;

const search = { limitMs: SEARCH_MS };
const draw = { limitMs: DRAW_MS, isCached: true };
const keysOffThread = offThread<typeof findKeys>(import.meta.url, "./find-keys.parser.ts", search);
const redactOffThread = offThread<typeof redactTexts>(import.meta.url, "./redact-texts.parser.ts", search); // prettier-ignore
const markdownOffThread = offThread<typeof markdownHtml>(import.meta.url, "./markdown-html.parser.ts", draw); // prettier-ignore
const codeOffThread = offThread<typeof codeHtml>(import.meta.url, "./code-html.parser.ts", draw);

/**
 * Finds values in texts that look like keys. A text that cannot be searched in time counts as a key
 * as a whole, so nothing of it is shown.
 * @param lane the project's id
 */
export async function keysInTexts(lane: string, texts: Iterable<string>): Promise<string[]> {
  const found = batches(texts).map((batch) =>
    keysOffThread({ lane }, batch).catch(() => eachAlone(batch)),
  );
  return (await Promise.all(found)).flat();

  async function eachAlone(batch: readonly string[]): Promise<string[]> {
    if (batch.length === 1) return [...batch];
    const alone = batch.map((text) => keysOffThread({ lane }, [text]).catch(() => [text]));
    return (await Promise.all(alone)).flat();
  }
}

/**
 * Removes private values from texts; returns the results by original text. A text that cannot be
 * searched in time is masked as a whole.
 * @param lane the project's id
 * @param values private values, such as keys
 */
export async function redactedTexts(
  lane: string,
  texts: Iterable<string>,
  values: readonly string[],
): Promise<Map<string, string>> {
  const redacted = batches(texts).map(async (batch) => {
    const shown = await redactOffThread({ lane }, batch, values).catch(() => eachAlone(batch));
    return batch.map((text, index) => [text, shown[index] ?? MASK] as const);
  });
  return new Map((await Promise.all(redacted)).flat());

  async function eachAlone(batch: readonly string[]): Promise<string[]> {
    if (batch.length === 1) return [MASK];
    const alone = batch.map((text) =>
      redactOffThread({ lane }, [text], values).catch(() => [MASK]),
    );
    return (await Promise.all(alone)).flat();
  }
}

/** A part of a page to render: Markdown, or code in a language. */
export type Drawable =
  | { kind: "markdown"; text: string }
  | { kind: "code"; text: string; language: string };

export const drawableKey = (one: Drawable): string =>
  `${one.kind} ${one.kind === "code" ? one.language : ""} ${one.text}`;

/**
 * The HTML of texts, by key. A text that takes too long is shown as plain text.
 * @param lane the project's id
 */
export async function drawnTexts(
  lane: string,
  texts: readonly Drawable[],
): Promise<Map<string, string>> {
  const drawn = new Map<string, string>();
  let slow = 0;
  for (const one of texts) {
    const key = drawableKey(one);
    if (drawn.has(key)) continue;
    const plain = one.kind === "code" ? plainCode(one.text) : plainHtml(one.text);
    const isPlain =
      slow >= MAX_SLOW_TEXTS || (one.kind === "markdown" && one.text.length > MAX_MARKDOWN_CHARS);
    drawn.set(key, isPlain ? plain : await drawOne(one, plain));
  }
  return drawn;

  async function drawOne(one: Drawable, plain: string): Promise<string> {
    try {
      if (one.kind === "markdown") return await markdownOffThread({ lane }, one.text);
      const code = await codeOffThread({ lane }, one.text, one.language);
      return `<pre tabindex="0" dir="ltr"><code>${code}</code></pre>`;
    } catch {
      slow++;
      return plain;
    }
  }
}

/** Groups distinct texts into batches. A text longer than a batch forms its own. */
function batches(texts: Iterable<string>): string[][] {
  const all: string[][] = [];
  let room = 0;
  for (const text of new Set(texts)) {
    if (text === "") continue;
    if (text.length > room) {
      all.push([]);
      room = BATCH_CHARS;
    }
    all.at(-1)!.push(text);
    room -= text.length;
  }
  return all;
}

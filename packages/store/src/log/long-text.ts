import type { LogEvent } from "@treadle/protocol";
import { headOf, tailOf } from "@treadle/protocol/safe-text";
import { deflateRawSync, inflateRawSync } from "node:zlib";

/**
 * Maximum characters of a call's text in the log of an ended run; longer ones are shortened to head
 * and tail.
 */
const LONG = 2_000;
const HEAD = 800;
const TAIL = 200;
/**
 * Maximum bytes of a restored text: none of Treadle's own comes near it, but a restored database
 * may have any origin.
 */
export const UNCUT_BYTES = 64 * 1024 * 1024;

type Long = Extract<LogEvent, { type: "call-delta" | "output" | "call-end" }>;

/** The text of an event of a call: an argument, the output of a command, or the result for the model. */
function textOf(event: Long): string {
  return event.type === "call-end" ? event.result : event.text;
}

const withText = (event: Long, text: string, cut: number | undefined): Long => {
  const { cut: _, ...rest } = event;
  const more = cut === undefined ? {} : { cut };
  return rest.type === "call-end" ? { ...rest, result: text, ...more } : { ...rest, text, ...more };
};

const isLong = (event: LogEvent): event is Long =>
  (event.type === "call-delta" || event.type === "output" || event.type === "call-end") &&
  event.cut === undefined &&
  textOf(event).length > LONG;

/** An event with its shortened text, the call that it belongs to, and the complete text. */
export interface CutText {
  event: LogEvent;
  call: string;
  /** Compressed. */
  body: Buffer;
}

/** Shortens an event's long text, never within a character; undefined if it has none. */
export function cutText(event: LogEvent): CutText | undefined {
  if (!isLong(event)) return undefined;
  const text = textOf(event);
  const head = headOf(text, HEAD);
  const tail = tailOf(text, TAIL);
  const left = (text.length - head.length - tail.length).toLocaleString("en");
  const short = `${head}\n… ${left} characters left out here …\n${tail}`;
  return {
    event: withText(event, short, text.length),
    call: event.call,
    body: deflateRawSync(bytesOf(text)),
  };
}

const UTF8 = 0;
const UTF16 = 1;

/**
 * Half a surrogate pair, as a program may print it, has no UTF-8 form; the first byte says which
 * encoding is used.
 */
const bytesOf = (text: string): Buffer =>
  text.isWellFormed()
    ? Buffer.concat([Buffer.of(UTF8), Buffer.from(text)])
    : Buffer.concat([Buffer.of(UTF16), Buffer.from(text, "utf16le")]);

/**
 * The event as it was before it was shortened; unchanged if the body is invalid or too large. Never
 * throws.
 */
export function uncutText(event: LogEvent, body: Uint8Array): LogEvent {
  let bytes: Buffer;
  try {
    bytes = inflateRawSync(body, { maxOutputLength: UNCUT_BYTES });
  } catch {
    return event;
  }
  const text = bytes.subarray(1).toString(bytes[0] === UTF16 ? "utf16le" : "utf8");
  return withText(event as Long, text, undefined);
}

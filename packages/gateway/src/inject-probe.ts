import { Transform } from "node:stream";
import { createHeadReader } from "./find-head.ts";
import { admitInMeta } from "./meta-policy.ts";

/** Maximum bytes of an unfinished tag or comment that are held back; beyond that the document is passed on unchanged. */
export const TOKEN_LIMIT = 64 * 1024;

const UTF8_MARK = "\u00ef\u00bb\u00bf";
const UTF16_MARK = /^(?:\u00ff\u00fe|\u00fe\u00ff)/;

export interface InjectOptions {
  /** The markup to insert at the start of the head. */
  tag: string;
  /** Rewrites the policy of a meta element. */
  policy(value: string): string;
}

/**
 * Inserts `tag` at the start of the head of an HTML document while it is streamed, holding back at most one unfinished
 * tag. Bytes are read and written as Latin-1, so every encoding that extends ASCII is preserved; UTF-16 is passed on
 * unchanged.
 *
 * parse5's rewriting stream is not used because version 8.0.1 drops a tag that is cut off at the end of the document,
 * and holds back an unfinished tag of any length.
 */
export function injectProbe({ tag, policy }: InjectOptions): Transform {
  const head = createHeadReader();
  let pending = "";
  let started = false;
  let injected = false;
  let done = false;

  /** Processes as much of `pending` as can be decided, and returns the bytes to send. */
  function read(): string {
    let out = "";
    while (!done) {
      const piece = head.next(pending);
      if (piece === undefined) {
        if (pending.length > TOKEN_LIMIT) done = true;
        break;
      }
      const text = pending.slice(0, piece.length);
      pending = pending.slice(piece.length);
      out += piece.type === "meta" ? admitInMeta(text, policy) : text;
      const isFirst = piece.type === "head-content" || /^<head[\s/>]/i.test(text);
      if (isFirst && !injected) {
        out += tag;
        injected = true;
      }
      if (piece.type === "end") done = true;
    }
    if (!done) return out;
    out += pending;
    pending = "";
    return out;
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      if (done) return callback(null, chunk);
      pending += chunk.toString("latin1");
      let mark = "";
      if (!started) {
        if (pending.length < 3) return callback();
        started = true;
        if (UTF16_MARK.test(pending)) done = true;
        else if (pending.startsWith(UTF8_MARK)) mark = UTF8_MARK;
        pending = pending.slice(mark.length);
      }
      const out = mark + read();
      callback(null, out === "" ? undefined : Buffer.from(out, "latin1"));
    },
    flush(callback) {
      // An empty document gets the markup as well, so that its page is reported.
      const rest = done || injected ? pending : pending + tag;
      callback(null, rest === "" ? undefined : Buffer.from(rest, "latin1"));
    },
  });
}

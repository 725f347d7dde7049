import type { IncomingHttpHeaders } from "node:http";
import { Transform } from "node:stream";

const MARKDOWN = /^\s*text\/(?:x-)?markdown\s*(?=;|$)/i;

/** Whether an answer is Markdown in an encoding that extends ASCII. */
export const isMarkdown = ({ "content-type": type = "" }: IncomingHttpHeaders): boolean =>
  MARKDOWN.test(type) && !/charset\s*=\s*"?utf-?(?:16|32)/i.test(type);

/** The type of the document that `wrapMarkdown` makes of an answer of this type. */
export const wrappedType = (type: string): string =>
  type.replace(MARKDOWN, "text/html") + (/charset\s*=/i.test(type) ? "" : "; charset=utf-8");

/**
 * Makes Markdown a document that shows its text as it is, escaped and without scripts of the app. The workbench reads the
 * text from there and shows it rendered.
 * @param tag the markup to insert into the head
 */
export function wrapMarkdown(tag: string): Transform {
  // The parser ignores a line end at the beginning of `pre`, so one is written for it.
  let start = `<!doctype html><html><head>${tag}</head><body><pre data-treadle="markdown" style="white-space:pre-wrap">\n`;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      const text = chunk.toString("latin1").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      callback(null, Buffer.from(start + text, "latin1"));
      start = "";
    },
    flush(callback) {
      callback(null, Buffer.from(`${start}</pre></body></html>`, "latin1"));
    },
  });
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Matches a finish reason in a chunk; within text, the quotation marks would be escaped. */
const REASON = /"finish_reason"\s*:\s*"/;
/** Characters at the end of a piece that may be the beginning of a reason. */
const REASON_CHARS = 40;
const DONE = ["data: [DONE]", "data:[DONE]"];
const DONE_LINE = /(^|\n)data: ?\[DONE\]/;

/** The chunk that is missing from servers that end a stream with `[DONE]` only. */
const STOP = `data: ${JSON.stringify({
  id: "end",
  object: "chat.completion.chunk",
  created: 0,
  model: "",
  choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
})}\n\n`;

/**
 * Adds the finish reason `stop` to a stream of Chat Completions that ends with `[DONE]` but names no reason, since
 * `[DONE]` means that it is complete. A stream without `[DONE]` stays unchanged: it may have been cut.
 */
export function finishAtDone(): TransformStream<Bytes, Bytes> {
  /** The beginning of a line that may become `[DONE]`. */
  let held = "";
  let before = "";
  let isLineStart = true;
  let isOver = false;

  /** Encodes each character as one byte. */
  const encode = (text: string): Bytes => new Uint8Array(Buffer.from(text, "latin1"));
  const withStop = (text: string): string => {
    isOver ||= REASON.test(before + text);
    before = (before + text).slice(-REASON_CHARS);
    const done = isOver ? null : DONE_LINE.exec(isLineStart ? text : ` ${text}`);
    if (!done) return text;
    isOver = true;
    const at = done.index + done[1]!.length - (isLineStart ? 0 : 1);
    return `${text.slice(0, at)}${STOP}${text.slice(at)}`;
  };

  return new TransformStream({
    transform(chunk, controller) {
      if (isOver && held === "") return controller.enqueue(chunk);
      let text = held + Buffer.from(chunk).toString("latin1");
      const line = text.slice(text.lastIndexOf("\n") + 1);
      const startsLine = line.length < text.length || isLineStart;
      held = startsLine && line !== "" && DONE.some((done) => done.startsWith(line)) ? line : "";
      if (held !== "") text = text.slice(0, text.length - held.length);
      if (text === "") return;
      controller.enqueue(encode(withStop(text)));
      isLineStart = text.endsWith("\n");
    },
    flush(controller) {
      if (held !== "") controller.enqueue(encode(withStop(held)));
    },
  });
}

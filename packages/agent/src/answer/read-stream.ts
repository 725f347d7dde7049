import type { TextStreamPart, ToolSet } from "ai";
import { StreamCutError } from "../models/errors/model-failure.ts";
import type { ModelAnswer } from "./model-answer.ts";

/**
 * Reads one request's stream: tells it to the log, and puts each complete call into the queue.
 * Resolves when the stream has ended with a reason; rejects with what broke it, or with the signal's reason. Either
 * way `record` holds what came, and calls that are not complete have no input.
 */
export async function readStream(
  stream: ReadableStream<TextStreamPart<ToolSet>>,
  { record, reader }: Pick<ModelAnswer, "record" | "reader">,
  options: { signal: AbortSignal; onPart: () => void },
): Promise<void> {
  const source = stream.getReader();
  // A cancelled stream ends at once, even one whose provider does not listen to the signal.
  const onAbort = () => void source.cancel().catch(() => {});
  options.signal.addEventListener("abort", onAbort, { once: true });
  try {
    options.signal.throwIfAborted();
    for (;;) {
      const { done, value } = await source.read();
      options.signal.throwIfAborted();
      if (done) break;
      options.onPart();
      reader.read(value);
    }
    if (record.finish === undefined || record.finish === "interrupted") throw new StreamCutError();
  } finally {
    options.signal.removeEventListener("abort", onAbort);
    reader.flush();
    onAbort();
  }
}

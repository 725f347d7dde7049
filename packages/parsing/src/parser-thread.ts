/** The program of a parser thread: imports the module that a job names and calls its `parse`. */
import { parentPort } from "node:worker_threads";
import type { ThreadJob, ThreadMessage } from "./thread-messages.ts";

const port = parentPort!;
const send = (message: ThreadMessage) => port.postMessage(message);

port.on("message", (job: ThreadJob) => void run(job));

async function run({ module, args }: ThreadJob): Promise<void> {
  try {
    const { parse } = (await import(module)) as { parse(...args: unknown[]): unknown };
    // Loading the module has a separate time limit.
    send({ type: "loaded" });
    send({ type: "result", value: await parse(...args) });
  } catch (error) {
    send({ type: "error", message: String((error as Error)?.message).slice(0, MAX_MESSAGE_CHARS) });
  }
}

/** Maximum length of an error's message, which may quote the whole text. */
const MAX_MESSAGE_CHARS = 500;

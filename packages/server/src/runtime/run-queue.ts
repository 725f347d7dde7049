import type { QueuedMessage } from "@treadle/store";
import { performRun } from "./perform-run.ts";
import { ServerStops } from "./server-stops.ts";
import type { ProjectContext } from "./types.ts";

export interface RunQueue {
  /** Puts a message in line; resolves when that is durable. Its run starts as soon as those before it have ended. */
  add(item: Omit<QueuedMessage, "started">): Promise<{ queued: boolean }>;
  /** Ends the run that goes on; those in line follow. Resolves when it has ended. */
  stopCurrent(): Promise<void>;
  /** Ends the run that goes on and starts no other. What is in line stays in the project's record. */
  close(): Promise<void>;
  /** Whether a run goes on or is in line, as the log says it: not any more once the last `run-end` is there. */
  isWorking(): boolean;
  /** Resolves when what follows the current run's end (its checkpoint) is done. */
  quiet(): Promise<void>;
  /** Resolves when nothing runs and nothing is in line. */
  idle(): Promise<void>;
}

/** Runs a project's messages one after the other (F14). The line is kept in the project's record. */
export function createRunQueue(context: ProjectContext, afterRun: () => Promise<void>): RunQueue {
  const { id, parts } = context;
  const line: QueuedMessage[] = [];
  /** Whether the first in line has had its `run-end`. */
  let ended = false;
  let current: { controller: AbortController; done: Promise<void> } | undefined;
  let looping: Promise<void> | undefined;
  let closed = false;

  const keep = () =>
    parts.store.projects.update(id, {
      queue: line.length > 0 ? [...line] : undefined,
    });

  async function stop(reason: Error): Promise<void> {
    const running = current;
    running?.controller.abort(reason);
    await running?.done.catch(() => undefined);
  }

  async function loop(): Promise<void> {
    for (;;) {
      const [item] = line;
      if (!item || closed) {
        // Here and not when the promise settles: a message that comes in between would wait for ever.
        looping = undefined;
        return;
      }
      item.started = true;
      const controller = new AbortController();
      const done = keep().then(() =>
        performRun(context, item, controller.signal, () => void (ended = true)),
      );
      current = { controller, done };
      try {
        await done;
      } finally {
        current = undefined;
        line.shift();
        ended = false;
      }
      await keep();
      await afterRun();
    }
  }

  return {
    async add(item) {
      const queued = line.length > 0;
      const entry = { ...item, started: false };
      line.push(entry);
      try {
        await keep();
      } catch (error) {
        line.splice(line.indexOf(entry), 1);
        throw error;
      }
      const { message, text } = item;
      context.append({ type: "message", message, role: "user", text, queued });
      // The message is durable in the project's record; the log, if the disk is full now, follows when it is not.
      await parts.store.log.settled().catch(() => undefined);
      looping ??= loop().catch((error: Error) => {
        looping = undefined;
        parts.onNotice(`The line of turns broke off: ${error.message}`);
      });
      return { queued };
    },
    stopCurrent: () => stop(new DOMException("Stopped by the person.", "AbortError")),
    async close() {
      closed = true;
      await stop(new ServerStops());
      await looping;
    },
    isWorking: () => line.length > (ended ? 1 : 0),
    quiet: async () => void (await current?.done.catch(() => undefined)),
    async idle() {
      while (looping) await looping;
    },
  };
}

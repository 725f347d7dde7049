import type { Resume } from "@treadle/agent";
import type { Answer } from "@treadle/protocol";
import type { QueuedMessage } from "@treadle/store";
import type { ProjectActivity } from "../project-context/project-activity.ts";
import { performRun } from "./perform-run.ts";
import { ServerStops } from "./server-stops.ts";
import type { ProjectContext } from "../project-context/project-context.ts";

export interface RunQueue {
  /** Puts a message in line; resolves when that is durable. Its run starts as soon as those before it have ended. */
  add(item: Omit<QueuedMessage, "started">): Promise<{ queued: boolean }>;
  /** Takes a message out of the line; false where its run has begun, or it is not there. Resolves when that is durable. */
  remove(message: string): Promise<boolean>;
  /** The run that goes on is told it before its next step; false as with `remove`. */
  sendNow(message: string): Promise<boolean>;
  /** The run that waits goes on with this. */
  answer(answer: Answer): void;
  /** Ends the run that goes on, waits or comes next; those in line follow. Resolves when it has ended, with whether there was one. */
  stopCurrent(): Promise<boolean>;
  /** Ends the run that goes on and starts no other. What is in line stays in the project's record. */
  close(): Promise<void>;
  /** Resolves when nothing runs, and nothing is in line but what waits for the person. */
  idle(): Promise<void>;
}

/** Runs a project's messages one after the other (F14). The line is kept in the project's record. */
export function createRunQueue(
  context: ProjectContext,
  /** Is told how the line stands, and lets each run begin. */
  activity: Pick<ProjectActivity, "tell" | "run">,
  afterRun: () => Promise<void>,
  kept: QueuedMessage[] = [],
): RunQueue {
  const { id, parts } = context;
  const line: QueuedMessage[] = kept.map((item) => ({ ...item }));
  /** Whether the first in line has had its `run-end`. */
  let ended = false;
  let current: { controller: AbortController; done: Promise<void> } | undefined;
  let looping: Promise<void> | undefined;
  let closed = false;

  /** The answer that the first in line goes on with; it may come before its run has come to wait. */
  let given: { answer?: Answer } | undefined;

  /** Is to be stopped as soon as it has begun. */
  let stopsAtOnce: QueuedMessage | undefined;
  /** Those who wait until the first in line is over. */
  const waitingForOver: (() => void)[] = [];

  function tell(): void {
    if (line.length > (ended ? 1 : 0)) activity.tell(line[0]?.waits && !given ? "wait" : "run");
    else activity.tell(current ? "run-end" : "runs-over");
  }
  tell();

  const keep = () =>
    parts.store.projects.update(id, {
      queue: line.length > 0 ? [...line] : undefined,
    });

  /** A line that cannot be kept now goes on: what is in it is worth more than its record. */
  const keepOrSay = () =>
    keep().catch((error: Error) => parts.onNotice(`The line was not kept: ${error.message}`));

  /** One that is only in line: the first belongs to its run, but between the end of one and the start of the next. */
  const inLine = (message: string) =>
    line.find((item) => item.message === message && !item.started && !item.waits);

  /** What the person said for the run that goes on. The record follows; until then a restart finds it in line. */
  function takeSteering(): QueuedMessage[] {
    const taken = line.filter((item, index) => index > 0 && item.now);
    for (const item of taken) line.splice(line.indexOf(item), 1);
    if (taken.length > 0) void keepOrSay();
    return taken;
  }

  async function stop(reason: Error): Promise<void> {
    const running = current;
    running?.controller.abort(reason);
    await running?.done.catch(() => undefined);
  }

  async function loop(): Promise<void> {
    for (;;) {
      const [item] = line;
      if (!item || closed || (item.waits && !given)) {
        // Here and not when the promise settles: a message that comes in between would wait for ever.
        looping = undefined;
        tell();
        return;
      }
      const resume = item.waits ? resumeWith(given?.answer) : undefined;
      const controller = new AbortController();
      if (item === stopsAtOnce || (item.waits && !given?.answer)) controller.abort(stopped());
      stopsAtOnce = undefined;
      item.started = true;
      given = undefined;
      delete item.waits;
      let waits = false;
      const done = keepOrSay().then(() =>
        activity.run(async () => {
          const onEnd = () => {
            ended = true;
            tell();
          };
          waits =
            (await performRun(context, item, controller.signal, onEnd, takeSteering, resume)) ===
            "waits";
        }),
      );
      current = { controller, done };
      tell();
      try {
        await done;
      } finally {
        current = undefined;
        if (waits) item.waits = true;
        else {
          line.shift();
          for (const told of waitingForOver.splice(0)) told();
        }
        ended = false;
        tell();
      }
      await keepOrSay();
      if (!waits)
        await afterRun().catch((error: Error) =>
          parts.onNotice(`What follows a turn was not done: ${error.message}`),
        );
    }
  }

  function resumeWith(answer: Answer | undefined): Resume | undefined {
    const { suspended } = context.view;
    context.view.suspended = undefined;
    return suspended && { ...suspended, answer };
  }

  function work(): void {
    const [item] = line;
    // A loop that has nothing to do is over before it could be remembered, and would then be taken for one that goes on.
    if (looping || !item || closed || (item.waits && !given)) return;
    looping = loop().catch((error: Error) => {
      looping = undefined;
      parts.onNotice(`The line of turns broke off: ${error.message}`);
    });
  }

  return {
    async remove(message) {
      const item = inLine(message);
      if (!item) return false;
      line.splice(line.indexOf(item), 1);
      tell();
      await keep();
      context.append({ type: "message-removed", message });
      await parts.store.log.settled();
      return true;
    },
    async sendNow(message) {
      const item = inLine(message);
      // What is only to be planned is not told to a turn that builds.
      if (!item || item.mode !== line[0]?.mode) return false;
      if (item.now) return true;
      item.now = true;
      await keep();
      context.append({ type: "message-hurried", message });
      await parts.store.log.settled();
      return true;
    },
    answer(answer) {
      given = { answer };
      work();
    },
    async add(item) {
      const queued = line.length > 0;
      const entry = { ...item, started: false };
      line.push(entry);
      tell();
      try {
        await keep();
      } catch (error) {
        line.splice(line.indexOf(entry), 1);
        tell();
        throw error;
      }
      const { message, text, pictures, fix, plan } = item;
      const sent = {
        pictures,
        fix,
        plan,
      };
      context.append({ type: "message", message, role: "user", text, ...sent, queued });
      // The message is durable in the project's record; the log, if the disk is full now, follows when it is not.
      await parts.store.log.settled().catch(() => undefined);
      work();
      return { queued };
    },
    async stopCurrent() {
      // Once a run has told its end, the one behind it is meant.
      const item = line[ended ? 1 : 0];
      // One that was asked for in this moment begins here, so that there is something to stop.
      work();
      await stop(stopped());
      if (!item) return false;
      if (closed || line[0] !== item) return true;
      const over = new Promise<void>((resolve) => waitingForOver.push(resolve));
      // It may have come to wait in the moment in which it was stopped. Otherwise it is still to begin, after what follows the run before.
      if (item.waits) given = {};
      else stopsAtOnce = item;
      work();
      await over;
      return true;
    },
    async close() {
      closed = true;
      await stop(new ServerStops());
      await looping;
      for (const told of waitingForOver.splice(0)) told();
    },
    async idle() {
      while (looping) await looping;
    },
  };
}

const stopped = () => new DOMException("Stopped by the person.", "AbortError");

import type { Resume } from "@treadle/agent";
import type { Answer } from "@treadle/protocol";
import { createLifecycle } from "@treadle/protocol/lifecycle";
import type { QueuedMessage } from "@treadle/store";
import type { ProjectActivity } from "../project-context/project-activity.ts";
import type { ProjectContext } from "../project-context/project-context.ts";
import { performRun } from "./perform-run.ts";
import {
  initialLine,
  standing,
  steerable,
  transition,
  type Caller,
  type LineEffect,
  type LineEvent,
  type Resumption,
} from "./run-lifecycle.ts";
import { ServerStops } from "./server-stops.ts";

export interface RunQueue {
  /**
   * Queues a message; resolves when that is durable. Its run starts as soon as those before it have
   * ended.
   * @throws if it could not be recorded; it is then not queued and never runs
   */
  add(item: Omit<QueuedMessage, "started">): Promise<{ queued: boolean }>;
  /**
   * Removes a queued message; resolves when that is durable, with `false` if its run has begun or
   * it is not queued.
   * @throws if that could not be recorded; the message is then still queued
   */
  remove(message: string): Promise<boolean>;
  /**
   * Gives a queued message to the active run before its next step. Resolves and throws like
   * `remove`.
   */
  sendNow(message: string): Promise<boolean>;
  /** Resumes the waiting run. */
  answer(answer: Answer): void;
  /**
   * Stops the active, waiting or next run; queued runs then start. Resolves once it has ended, with
   * `false` if there was none.
   */
  stopCurrent(): Promise<boolean>;
  /** Stops the active run and starts no other. Queued messages stay in the project's record. */
  close(): Promise<void>;
  /**
   * Resolves when nothing is running, and nothing is queued except a run that waits for the person.
   */
  idle(): Promise<void>;
}

type Effect = LineEffect<QueuedMessage, Answer>;

/**
 * Runs a project's messages one after the other (F14). The queue is stored in the project's record.
 * The state machine in `run-lifecycle.ts` decides what happens when.
 */
export function createRunQueue(
  context: ProjectContext,
  /** Receives the state of the queue, and permits each run to begin. */
  activity: Pick<ProjectActivity, "announce" | "run">,
  afterRun: () => Promise<void>,
  recorded: QueuedMessage[] = [],
): RunQueue {
  const { id, parts } = context;
  /** Callers that still wait for an answer. */
  const callers = new Map<
    Caller,
    { resolve(value: boolean): void; reject(error: unknown): void }
  >();
  let lastCaller = 0;
  /** The controller of the active run. */
  let controller = new AbortController();

  const lifecycle = createLifecycle(
    initialLine(recorded.map((item) => ({ ...item }))),
    transition<QueuedMessage, Answer>,
    perform,
    (state) => activity.announce(standing(state)),
  );
  const { send } = lifecycle;
  activity.announce(standing(lifecycle.state));

  function ask(event: (caller: Caller) => LineEvent<QueuedMessage, Answer>): Promise<boolean> {
    const caller = ++lastCaller;
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    callers.set(caller, { resolve, reject });
    send(event(caller));
    return promise;
  }

  function answerAll(answered: readonly Caller[], by: "resolve" | "reject", value: unknown): void {
    for (const caller of answered) {
      callers.get(caller)?.[by](value as boolean);
      callers.delete(caller);
    }
  }

  function perform(effect: Effect): void {
    switch (effect.type) {
      case "record": {
        const { revision, items } = effect;
        record(items).then(
          () => send({ type: "recorded", revision }),
          (error: unknown) => send({ type: "record-failed", revision, error }),
        );
        return;
      }
      case "log-message":
        void logMessage(effect);
        return;
      case "log-removal":
        context.append({ type: "message-removed", message: effect.message });
        return answerOnceLogged(effect.caller);
      case "log-hurry":
        context.append({ type: "message-hurried", message: effect.message });
        return answerOnceLogged(effect.caller);
      case "run":
        void run(effect);
        return;
      case "abort":
        return controller.abort(reasonFor(effect.reason));
      case "follow":
        void follow();
        return;
      case "answer":
        return answerAll(effect.callers, "resolve", effect.value);
      case "reject":
        return answerAll(effect.callers, "reject", effect.error);
      case "report":
        parts.onNotice(`The line was not kept: ${(effect.error as Error).message}`);
    }
  }

  const record = async (items: readonly QueuedMessage[]) =>
    parts.store.projects.update(id, { queue: items.length > 0 ? [...items] : undefined });

  async function logMessage({
    item,
    isQueued: queued,
    caller,
  }: Extract<Effect, { type: "log-message" }>): Promise<void> {
    const { message, text, by, pictures, fix, prove, plan } = item;
    const sent = { by, pictures, fix, prove, plan };
    context.append({ type: "message", message, role: "user", text, ...sent, queued });
    // The message is durable in the project's record; the log follows when the disk accepts it.
    await parts.store.log.settled().catch(() => undefined);
    answerAll([caller], "resolve", queued);
    send({ type: "logged", message });
  }

  function answerOnceLogged(caller: Caller): void {
    parts.store.log.settled().then(
      () => answerAll([caller], "resolve", true),
      (error: unknown) => answerAll([caller], "reject", error),
    );
  }

  async function run({ item, resumption, abort }: Extract<Effect, { type: "run" }>): Promise<void> {
    controller = new AbortController();
    if (abort) controller.abort(reasonFor(abort));
    const { signal } = controller;
    const resume = resumption && resumeWith(resumption);
    const onEnd = () => send({ type: "run-ended" });
    let waits = false;
    // A run that is stopped while it waits for a place continues without one, and ends at once.
    const leave = await parts.line
      ?.enter(item.person ?? id, id, signal)
      .catch((error: Error) => void (signal.aborted || parts.onNotice(error.message)));
    try {
      const outcome = await activity.run(() =>
        performRun(context, item, signal, onEnd, takeSteering, resume),
      );
      waits = outcome === "waits";
    } catch (error) {
      parts.onNotice(`A turn broke off: ${(error as Error).message}`);
    } finally {
      leave?.();
    }
    send({ type: "run-over", waits });
  }

  function resumeWith({ answer }: Resumption<Answer>): Resume | undefined {
    const { suspended } = context.view;
    context.view.suspended = undefined;
    return suspended && { ...suspended, answer };
  }

  /**
   * Takes the messages for the active run. The record is updated later; until then a restart finds
   * them queued.
   */
  function takeSteering(): QueuedMessage[] {
    const taken = steerable<QueuedMessage>(lifecycle.state);
    send({ type: "steered", messages: taken.map(({ message }) => message) });
    return taken;
  }

  async function follow(): Promise<void> {
    try {
      await afterRun();
    } catch (error) {
      parts.onNotice(`What follows a turn was not done: ${(error as Error).message}`);
    }
    send({ type: "followed" });
  }

  return {
    async add(item) {
      const entry = { ...item, started: false };
      return { queued: await ask((caller) => ({ type: "add", item: entry, caller })) };
    },
    remove: (message) => ask((caller) => ({ type: "remove", message, caller })),
    sendNow: (message) => ask((caller) => ({ type: "hurry", message, caller })),
    answer: (answer) => send({ type: "answer", answer }),
    stopCurrent: () => ask((caller) => ({ type: "stop", caller })),
    async close() {
      await ask((caller) => ({ type: "close", caller }));
    },
    async idle() {
      await ask((caller) => ({ type: "idle", caller }));
    },
  };
}

const reasonFor = (reason: "stopped" | "server-stops") =>
  reason === "stopped"
    ? new DOMException("Stopped by the person.", "AbortError")
    : new ServerStops();

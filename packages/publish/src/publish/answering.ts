import type { IncomingMessage, ServerResponse } from "node:http";
import { inTime } from "@treadle/common";
import type { ReleasedApp } from "./released-app.ts";

/** What answers for one release. */
export type Answering = { release: number } & (
  | { kind: "site"; answer(request: IncomingMessage, response: ServerResponse): Promise<void> }
  | {
      kind: "app";
      app: ReleasedApp;
      /** Path of its first page, of an app that has none at `/`. */
      entry?: string | undefined;
    }
);

/** Which release answers under one name. It is changed without a request lost. */
export interface Answers {
  current(): Answering | undefined;
  /** What answers now, once nobody holds it: the request goes on until `leave`. */
  enter(): Promise<{ answering: Answering; leave(): void } | undefined>;
  /** Requests wait from now on, until the returned function is called. */
  hold(): () => void;
  /** The next request is this one's; those that go on stay where they are. */
  put(next: Answering | undefined): void;
  /** Resolves when no request of it goes on, or after so many milliseconds. */
  drained(answering: Answering, ms: number): Promise<void>;
}

export function createAnswers(): Answers {
  let current: Answering | undefined;
  let held: Promise<void> | undefined;
  const going = new Map<Answering, number>();
  const waiting = new Map<Answering, (() => void)[]>();

  return {
    current: () => current,
    async enter() {
      while (held) await held;
      const answering = current;
      if (!answering) return undefined;
      going.set(answering, (going.get(answering) ?? 0) + 1);
      let inside = true;
      return {
        answering,
        leave() {
          if (!inside) return;
          inside = false;
          const left = going.get(answering)! - 1;
          if (left > 0) return void going.set(answering, left);
          going.delete(answering);
          for (const listener of waiting.get(answering)?.splice(0) ?? []) listener();
        },
      };
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const current = promise.then(() => {
        if (held === current) held = undefined;
      });
      held = current;
      return resolve;
    },
    put(next) {
      current = next;
    },
    async drained(answering, ms) {
      if (!going.has(answering)) return;
      const released = new Promise<void>((resolve) => {
        waiting.set(answering, [...(waiting.get(answering) ?? []), resolve]);
      });
      await inTime(released, ms);
    },
  };
}

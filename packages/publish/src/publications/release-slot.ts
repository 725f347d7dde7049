import type { IncomingMessage, ServerResponse } from "node:http";
import { inTime } from "@treadle/common";
import type { ReleaseApp } from "./release-app.ts";

/** Serves the requests to one release: its files, or its app. */
export type ReleaseServer = { release: number } & (
  | { kind: "site"; answer(request: IncomingMessage, response: ServerResponse): Promise<void> }
  | {
      kind: "app";
      app: ReleaseApp;
      /** The path of its first page, if that is not `/`. */
      entry?: string | undefined;
    }
);

/** Holds the release that serves a publication. It is replaced without losing a request. */
export interface ReleaseSlot {
  current(): ReleaseServer | undefined;
  /** Begins a request once no `hold` is in effect; the caller ends it by `leave`. Undefined if there is no release. */
  enter(): Promise<{ releaseServer: ReleaseServer; leave(): void } | undefined>;
  /** Makes new requests wait until the returned function is called. */
  hold(): () => void;
  /** Directs new requests to `next`; requests under way stay where they are. */
  put(next: ReleaseServer | undefined): void;
  /** Resolves when the release serves no request, or after `ms` milliseconds. */
  drained(releaseServer: ReleaseServer, ms: number): Promise<void>;
}

export function createReleaseSlot(): ReleaseSlot {
  let current: ReleaseServer | undefined;
  let held: Promise<void> | undefined;
  const going = new Map<ReleaseServer, number>();
  const waiting = new Map<ReleaseServer, (() => void)[]>();

  return {
    current: () => current,
    async enter() {
      while (held) await held;
      const releaseServer = current;
      if (!releaseServer) return undefined;
      going.set(releaseServer, (going.get(releaseServer) ?? 0) + 1);
      let inside = true;
      return {
        releaseServer,
        leave() {
          if (!inside) return;
          inside = false;
          const left = going.get(releaseServer)! - 1;
          if (left > 0) return void going.set(releaseServer, left);
          going.delete(releaseServer);
          for (const listener of waiting.get(releaseServer)?.splice(0) ?? []) listener();
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
    async drained(releaseServer, ms) {
      if (!going.has(releaseServer)) return;
      const drained = new Promise<void>((resolve) => {
        waiting.set(releaseServer, [...(waiting.get(releaseServer) ?? []), resolve]);
      });
      await inTime(drained, ms);
    },
  };
}

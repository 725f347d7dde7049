import {
  createLifecycle,
  EMPTY_HOLDER,
  holderTransition,
  isOpenOrOpening,
  type Caller,
  type HolderEffect,
} from "@treadle/protocol/lifecycle";
import { WorkspaceError } from "../types.ts";
import type { Sandbox } from "./sandbox-host.ts";

/** A project's sandbox: opened when something is asked of it, and anew when it was lost. Never two at once. */
export interface HeldSandbox<Started> {
  /** The sandbox that runs, or one that is opened for it. @throws WorkspaceError `stopped` once it was closed */
  open(): Promise<Started>;
  /** The one that runs, unless it is being ended. */
  current(): Started | undefined;
  /** The one that runs or is being opened; resolves with undefined if there is none. Never rejects. */
  settled(): Promise<Started | undefined>;
  /** Closes the sandbox once pending requests are answered, and opens the next. New requests wait for that one. */
  renew(): Promise<void>;
  /** Ends it, and opens none any more. @throws what ending it threw; the next call tries again */
  close(): Promise<void>;
}

/**
 * Holds a workspace's sandbox. When one is opened and ended is decided by the protocol's `holder-lifecycle.ts`.
 * @param start starts a sandbox
 * @param ready does what has to be done in a new one before anybody uses it; if that fails, the sandbox is ended
 * @param onLost called when the sandbox that was in use has ended by itself
 */
export function holdSandbox<Started extends Sandbox>(
  start: () => Promise<Started>,
  ready: (started: Started) => Promise<void>,
  onLost: () => void,
): HeldSandbox<Started> {
  const callers = new Map<Caller, PromiseWithResolvers<Started | undefined>>();
  let lastCaller = 0;
  /** The one that another takes the place of, although it was not asked to stop. */
  let renewing: Started | undefined;
  const lifecycle = createLifecycle(EMPTY_HOLDER, holderTransition<Started>, perform);

  function perform(effect: HolderEffect<Started>): void {
    switch (effect.type) {
      case "open":
        openNow().catch((error: unknown) => lifecycle.send({ type: "open-failed", error }));
        return;
      case "end":
        end(effect.workspace).then(
          () => lifecycle.send({ type: "ended" }),
          (error: unknown) => lifecycle.send({ type: "end-failed", error }),
        );
        return;
      case "give":
        return answer(effect.callers, (caller) => caller.resolve(effect.workspace));
      case "confirm":
        return answer(effect.callers, (caller) => caller.resolve(undefined));
      case "refuse":
        return answer(effect.callers, (caller) => caller.reject(effect.error ?? stopped()));
    }
  }

  async function openNow(): Promise<void> {
    const workspace = await start();
    let isGone = false;
    void workspace.ended.then(() => {
      isGone = true;
      const wasInUse = current() === workspace;
      lifecycle.send({ type: "gone", workspace });
      if (wasInUse) onLost();
    });
    try {
      await ready(workspace);
    } catch (error) {
      return lifecycle.send({ type: "opened-unfit", workspace, error });
    }
    if (isGone) throw new WorkspaceError("sandbox", "the sandbox ended by itself");
    lifecycle.send({ type: "opened", workspace });
  }

  async function end(workspace: Started): Promise<void> {
    // Requests already sent are still answered by the old sandbox.
    if (workspace === renewing) await Promise.race([workspace.atRest(), workspace.ended]);
    await workspace.end();
  }

  function answer(
    answered: readonly Caller[],
    how: (caller: PromiseWithResolvers<Started | undefined>) => void,
  ): void {
    for (const id of answered) {
      const caller = callers.get(id);
      callers.delete(id);
      if (caller) how(caller);
    }
  }

  function ask(type: "open" | "release" | "close"): Promise<Started | undefined> {
    const caller = ++lastCaller;
    const waiting = Promise.withResolvers<Started | undefined>();
    callers.set(caller, waiting);
    lifecycle.send({ type, caller });
    return waiting.promise;
  }

  function current(): Started | undefined {
    const { state } = lifecycle;
    return state.phase === "open" ? state.workspace : undefined;
  }

  const open = () => ask("open") as Promise<Started>;

  return {
    open,
    current,
    settled: async () =>
      isOpenOrOpening(lifecycle.state) ? open().catch(() => undefined) : undefined,
    async renew() {
      renewing = current();
      const ended = ask("release");
      // Asked for at once, so that it is opened also if nobody else asks.
      const next = open();
      next.catch(() => undefined);
      await ended;
      await next;
    },
    close: async () => void (await ask("close")),
  };
}

const stopped = () => new WorkspaceError("stopped", "this workspace was stopped");

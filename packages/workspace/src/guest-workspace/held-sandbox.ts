import { sentence } from "@treadle/protocol/sentences";
import {
  createHolderCallers,
  createLifecycle,
  EMPTY_HOLDER,
  holderTransition,
  isOpenOrOpening,
  type HolderEffect,
} from "@treadle/protocol/lifecycle";
import { WorkspaceError } from "../types.ts";
import type { Sandbox } from "./sandbox-host.ts";

/**
 * A project's sandbox: opened at the first request, and again after it was lost. There are never
 * two at once.
 */
export interface HeldSandbox<Started> {
  /**
   * Returns the running sandbox, or opens one.
   * @throws WorkspaceError `stopped` after `close`
   */
  open(): Promise<Started>;
  /** The running sandbox, unless it is being stopped. */
  current(): Started | undefined;
  /**
   * Resolves with the sandbox that is running or being opened, or with undefined. Never rejects.
   */
  settled(): Promise<Started | undefined>;
  /** Closes the sandbox once pending requests are answered, and opens the next. New requests wait for that one. */
  renew(): Promise<void>;
  /**
   * Stops the sandbox and prevents new ones.
   * @throws the error of stopping it; the next call tries again
   */
  close(): Promise<void>;
}

/**
 * Manages a workspace's sandbox. The state machine in the protocol's `holder-lifecycle.ts` decides
 * when one is opened or stopped.
 * @param start starts a sandbox
 * @param ready prepares a new sandbox before its first use; if it fails, the sandbox is stopped
 * @param onLost called when the sandbox in use has ended by itself
 */
export function holdSandbox<Started extends Sandbox>(
  start: () => Promise<Started>,
  ready: (started: Started) => Promise<void>,
  onLost: () => void,
): HeldSandbox<Started> {
  const callers = createHolderCallers<Started>();
  /** The sandbox being replaced by `renew`, which answers its pending requests before it is stopped. */
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
      default:
        return callers.answer(effect, stopped);
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
    if (isGone) throw new WorkspaceError("sandbox", sentence("sandbox-ended-itself"));
    lifecycle.send({ type: "opened", workspace });
  }

  async function end(workspace: Started): Promise<void> {
    // Requests already sent are still answered by the old sandbox.
    if (workspace === renewing) await Promise.race([workspace.atRest(), workspace.ended]);
    await workspace.end();
  }

  const ask = (type: "open" | "release" | "close") =>
    callers.ask((caller) => lifecycle.send({ type, caller }));

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
      // Requested immediately, so that it is opened even without another request.
      const next = open();
      next.catch(() => undefined);
      await ended;
      await next;
    },
    close: async () => void (await ask("close")),
  };
}

const stopped = () => new WorkspaceError("stopped", sentence("workspace-was-stopped"));

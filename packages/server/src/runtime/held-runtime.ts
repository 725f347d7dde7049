import {
  createHolderCallers,
  createLifecycle,
  EMPTY_HOLDER,
  holderTransition,
  isOpenOrOpening,
  type HolderEffect,
} from "@treadle/protocol/lifecycle";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { ProjectRuntime } from "./types.ts";

/**
 * One project's runtime: created on demand, closed, and created again. There are never two at once.
 */
export interface HeldRuntime {
  /**
   * The runtime, which is created if there is none.
   * @throws ApiFailure 503 after `close`, or the error of creating it
   */
  open(): Promise<ProjectRuntime>;
  /** The runtime if there is one, even if it is being closed or could not be closed. */
  current(): ProjectRuntime | undefined;
  /** Whether closing failed, so that parts of it may still be running. */
  isStuck(): boolean;
  /**
   * Closes the runtime, if there is one.
   * @throws the error of its `close`; the next call tries again
   */
  release(): Promise<void>;
  /** Closes the runtime in the same way, and prevents another from being created. */
  close(): Promise<void>;
}

/**
 * Manages a runtime with the state machine of the protocol's `holder-lifecycle.ts`, which decides
 * when it is created and closed.
 * @param make creates a runtime
 * @param onEmpty called whenever there is no runtime any more, and nobody waits for one
 */
export function holdRuntime(make: () => Promise<ProjectRuntime>, onEmpty: () => void): HeldRuntime {
  const callers = createHolderCallers<ProjectRuntime>();

  const lifecycle = createLifecycle(
    EMPTY_HOLDER,
    holderTransition<ProjectRuntime>,
    perform,
    (state) => {
      if (!isOpenOrOpening(state) && state.phase === "empty") onEmpty();
    },
  );

  function perform(effect: HolderEffect<ProjectRuntime>): void {
    switch (effect.type) {
      case "open":
        make().then(
          (workspace) => lifecycle.send({ type: "opened", workspace }),
          (error: unknown) => lifecycle.send({ type: "open-failed", error }),
        );
        return;
      case "end":
        effect.workspace.close().then(
          () => lifecycle.send({ type: "ended" }),
          (error: unknown) => lifecycle.send({ type: "end-failed", error }),
        );
        return;
      default:
        return callers.answer(effect, stopping);
    }
  }

  const ask = (type: "open" | "release" | "close") =>
    callers.ask((caller) => lifecycle.send({ type, caller }));

  return {
    open: () => ask("open") as Promise<ProjectRuntime>,
    current: () => ("workspace" in lifecycle.state ? lifecycle.state.workspace : undefined),
    isStuck: () => lifecycle.state.phase === "stuck",
    release: async () => void (await ask("release")),
    close: async () => void (await ask("close")),
  };
}

export const stopping = () => new ApiFailure(503, "stopping", sentence("stopping"));

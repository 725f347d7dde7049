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

/** One project's runtime: made when it is first asked for, ended, made again. Never two at once. */
export interface HeldRuntime {
  /** @throws ApiFailure 503 after `close`, and what making it threw */
  open(): Promise<ProjectRuntime>;
  /** The runtime while there is one, even if it is being ended or could not be. */
  current(): ProjectRuntime | undefined;
  /** Whether its end failed, so that something of it may still run. */
  isStuck(): boolean;
  /** Ends it, if there is one. @throws what its `close` threw; the next call tries again */
  release(): Promise<void>;
  /** Does the same, and makes it no more. */
  close(): Promise<void>;
}

/**
 * Holds a runtime. When it is made and ended is decided by the state machine of the protocol's `holder-lifecycle.ts`, for which a runtime
 * is one more thing that is opened, ended and never there twice.
 * @param make makes a runtime
 * @param onEmpty called whenever there is none any more, and nobody waits for one
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

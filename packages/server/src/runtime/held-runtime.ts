import {
  createLifecycle,
  EMPTY_HOLDER,
  holderTransition,
  isOpenOrOpening,
  type Caller,
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
  const callers = new Map<Caller, PromiseWithResolvers<ProjectRuntime | undefined>>();
  let lastCaller = 0;

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
      case "give":
        return answer(effect.callers, (caller) => caller.resolve(effect.workspace));
      case "confirm":
        return answer(effect.callers, (caller) => caller.resolve(undefined));
      case "refuse":
        return answer(effect.callers, (caller) => caller.reject(effect.error ?? stopping()));
    }
  }

  function answer(
    answered: readonly Caller[],
    how: (caller: PromiseWithResolvers<ProjectRuntime | undefined>) => void,
  ): void {
    for (const id of answered) {
      const caller = callers.get(id);
      callers.delete(id);
      if (caller) how(caller);
    }
  }

  function ask(type: "open" | "release" | "close"): Promise<ProjectRuntime | undefined> {
    const caller = ++lastCaller;
    const waiting = Promise.withResolvers<ProjectRuntime | undefined>();
    callers.set(caller, waiting);
    lifecycle.send({ type, caller });
    return waiting.promise;
  }

  return {
    open: () => ask("open") as Promise<ProjectRuntime>,
    current: () => ("workspace" in lifecycle.state ? lifecycle.state.workspace : undefined),
    isStuck: () => lifecycle.state.phase === "stuck",
    release: async () => void (await ask("release")),
    close: async () => void (await ask("close")),
  };
}

export const stopping = () => new ApiFailure(503, "stopping", sentence("stopping"));

import { AsyncLocalStorage } from "node:async_hooks";

const asking = new AsyncLocalStorage<() => void>();

/**
 * Runs `ask`, a request to a provider, and calls `onBytes` whenever bytes of its answer arrive. This includes what the
 * provider's library ignores, such as pings and comments sent while a model thinks.
 */
export const withLifeSigns = <T>(onBytes: () => void, ask: () => T): T => asking.run(onBytes, ask);

/** The callback for bytes of the answer to the current request; undefined if there is none. */
export const lifeSign = (): (() => void) | undefined => asking.getStore();

import { AsyncLocalStorage } from "node:async_hooks";

const asking = new AsyncLocalStorage<() => void>();

/**
 * Asks a provider, and calls `onBytes` whenever anything of its answer comes: also what its library passes over, such as
 * pings and comments, which providers send while a model thinks.
 */
export const withLifeSigns = <T>(onBytes: () => void, ask: () => T): T => asking.run(onBytes, ask);

/** What is to be called at each piece of the answer to the request that is being sent; absent: nobody waits for it. */
export const lifeSign = (): (() => void) | undefined => asking.getStore();

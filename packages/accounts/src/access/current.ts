import { AsyncLocalStorage } from "node:async_hooks";
import type { Principal } from "./authorize.ts";

const current = new AsyncLocalStorage<Principal>();

/** Does something for a principal: what is created then, also later by the work that follows, is theirs. */
export const asPrincipal = <Result>(principal: Principal, act: () => Result): Result =>
  current.run(principal, act);

/** The principal for whom the work is done; undefined for the person at this machine. */
export const currentPrincipal = (): Principal | undefined => current.getStore();

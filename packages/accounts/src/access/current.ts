import { AsyncLocalStorage } from "node:async_hooks";
import type { Author } from "@treadle/protocol";
import type { Principal } from "./authorize.ts";

const current = new AsyncLocalStorage<Principal>();

/** Calls a function for a principal, who owns what it and the asynchronous work that follows create. */
export const asPrincipal = <Result>(principal: Principal, act: () => Result): Result =>
  current.run(principal, act);

/**
 * Creates a function that returns the person for whom the current work is done; undefined for the person at this
 * machine.
 */
export const currentAuthor =
  (people: { get(id: string): Promise<Author | undefined> }) =>
  async (): Promise<Author | undefined> => {
    const person = await people.get(currentPrincipal()?.person ?? "");
    return person && { id: person.id, name: person.name };
  };

/** The principal for whom the current work is done; undefined for the person at this machine. */
export const currentPrincipal = (): Principal | undefined => current.getStore();

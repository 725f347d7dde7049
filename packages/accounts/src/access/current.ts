import { AsyncLocalStorage } from "node:async_hooks";
import type { Author } from "@treadle/protocol";
import type { Principal } from "./authorize.ts";

const current = new AsyncLocalStorage<Principal>();

/** Does something for a principal: what is created then, also later by the work that follows, is theirs. */
export const asPrincipal = <Result>(principal: Principal, act: () => Result): Result =>
  current.run(principal, act);

/** Names the person for whom the current work is done; undefined for the person at this machine. */
export const currentAuthor =
  (people: { get(id: string): Promise<Author | undefined> }) =>
  async (): Promise<Author | undefined> => {
    const person = await people.get(currentPrincipal()?.person ?? "");
    return person && { id: person.id, name: person.name };
  };

/** The principal for whom the work is done; undefined for the person at this machine. */
export const currentPrincipal = (): Principal | undefined => current.getStore();

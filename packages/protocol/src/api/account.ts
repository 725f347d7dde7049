/** What the routes of people and sign-ins take and give. */
import type { Scope, ServerRole, SignedInVia } from "../accounts/index.ts";

/** Who a request comes from, and what they may do on the server. */
export interface Me {
  /** `local` for the person at this machine, who has no account. */
  id: string;
  role: ServerRole;
  via: SignedInVia;
  /** What an API token is limited to; absent: everything of its person. */
  scopes?: Scope[] | undefined;
  /** Names of the server's actions that are allowed, such as `projects.create`. */
  actions: string[];
}

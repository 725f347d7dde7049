import {
  PROJECT_ROLES,
  type LinkRole,
  SERVER_ROLES,
  type ProjectRole,
  type Scope,
  type ServerRole,
  type SignedInVia,
} from "@treadle/protocol/accounts";
import { actionOf, type Action } from "./actions.ts";

/** The person for whom a request is made, and how they signed in. */
export interface Principal {
  /** The person's id; `local` for the person at this machine, who has no account. */
  person: string;
  role: ServerRole;
  via: SignedInVia;
  /** The scopes to which an API token is limited; undefined for the person's own sign-in. */
  scopes?: readonly Scope[];
  /** Set for a guest without an account, who joined by an access link. */
  nameless?: true;
  /** Id of the session or token, by which it is ended. */
  credential?: string;
}

/** The person at this machine, signed in with the start-up token. */
export const LOCAL_OWNER: Principal = { person: "local", role: "owner", via: "local" };

/** The server or project to which an action is done, with the person's roles in it. */
export type Resource =
  | { kind: "server" }
  | {
      kind: "project";
      role: ProjectRole | undefined;
      /** The role by access links, which give less than a membership does. */
      linkRole?: LinkRole | undefined;
    };

export const SERVER: Resource = { kind: "server" };

/**
 * Whether a request may go on. `hidden`: the resource does not exist as far as this person can
 * know, so the answer is 404. `signed-out`: the person has to sign in first.
 */
export type Decision = "allowed" | "forbidden" | "hidden" | "signed-out";

const isAtLeast = <Role extends string>(roles: readonly Role[], role: Role, least: Role) =>
  roles.indexOf(role) <= roles.indexOf(least);

/** Whether a role may do everything in all projects, like their owners. */
export const ownsEverything = (role: ServerRole): boolean => isAtLeast(SERVER_ROLES, role, "admin");

/** Decides who may do what; nothing else does. Pure: the caller looks up the roles. */
export function authorize(
  principal: Principal | undefined,
  action: Action,
  resource: Resource,
): Decision {
  const row = actionOf(action);
  if (row.on === "nobody") return "allowed";
  if (principal === undefined) return "signed-out";
  const isInScope =
    principal.scopes === undefined ||
    (row.scope !== undefined && principal.scopes.includes(row.scope));
  if (row.on === "server")
    return isInScope &&
      isAtLeast(SERVER_ROLES, principal.role, row.least) &&
      (!principal.nameless || row.nameless === true)
      ? "allowed"
      : "forbidden";
  if (resource.kind !== "project") throw new Error(`${action} is done to a project.`);
  // Without a role, the project stays hidden, whatever the token's scopes are.
  const { role, linkRole } = resource;
  if (role === undefined && linkRole === undefined) return "hidden";
  return isInScope && (mayAs(row.least, role) || mayAs(row.byLink ?? row.least, linkRole))
    ? "allowed"
    : "forbidden";
}

const mayAs = (least: ProjectRole, role: ProjectRole | undefined): boolean =>
  role !== undefined && isAtLeast(PROJECT_ROLES, role, least);

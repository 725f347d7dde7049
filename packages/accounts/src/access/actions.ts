import type { ProjectRole, Scope, ServerRole } from "@treadle/protocol/accounts";

interface ActionBase {
  /** What the action lets a person do, as a phrase for the table in the documentation. */
  about: string;
  /** The scope that an API token needs. Without one, the action is closed to API tokens. */
  scope?: Scope;
  /** Whether a successful request that changes something is recorded in the audit log. */
  audited?: true;
}

/** An action on the server, and the least role that may do it. */
export interface ServerAction extends ActionBase {
  on: "server";
  least: ServerRole;
  /** Whether guests without an account may do the action as well. */
  nameless?: true;
}

/** An action on one project, and the least role in the project that may do it. */
export interface ProjectAction extends ActionBase {
  on: "project";
  least: ProjectRole;
  /**
   * The least role for people who have it by an access link; default: `least`. No link gives `owner`, so `owner`
   * closes the action to them.
   */
  byLink?: ProjectRole;
  /** Whether the action also applies to a deleted project that can still be restored. */
  ofDeleted?: true;
}

/** An action that needs no sign-in. */
export interface OpenAction extends ActionBase {
  on: "nobody";
}

/**
 * All actions. Every route, socket and preview names those that it requires. The table in `docs/accounts.md` is
 * generated from here.
 */
export const ACTIONS = {
  "page.open": {
    on: "nobody",
    about: "load the page itself, which shows nothing without the other actions",
  },
  "server.view": {
    on: "server",
    least: "guest",
    nameless: true,
    scope: "read",
    about: "see what the server can do: its state, models, shared rules and skills",
  },
  "server.inspect": {
    on: "server",
    least: "admin",
    scope: "manage",
    about: "see the machine, and where the server is signed in",
  },
  "server.configure": {
    on: "server",
    least: "admin",
    scope: "manage",
    audited: true,
    about: "change model keys, the default model, shared tool servers, rules and git sign-ins",
  },
  "server.use": {
    on: "server",
    least: "member",
    scope: "write",
    about: "ask a model, or report a build, outside of a project",
  },
  "account.sign-in": {
    on: "nobody",
    about: "sign in",
  },
  "people.list": {
    on: "server",
    least: "member",
    scope: "read",
    about: "see the names of people and teams, to give them a role in a project",
  },
  "people.manage": {
    on: "server",
    least: "admin",
    scope: "manage",
    audited: true,
    about: "invite and remove people, change their roles, end their sessions, manage teams",
  },
  "audit.read": {
    on: "server",
    least: "admin",
    scope: "manage",
    about: "read the audit log",
  },
  "spending.view": {
    on: "server",
    least: "guest",
    scope: "read",
    about: "see what one has spent on models, and the budgets that apply to it",
  },
  "spending.manage": {
    on: "server",
    least: "admin",
    scope: "manage",
    audited: true,
    about: "see what everybody has spent on models, and set budgets",
  },
  "account.view": {
    on: "server",
    least: "guest",
    nameless: true,
    scope: "read",
    about: "see who is signed in",
  },
  "account.change": {
    on: "server",
    least: "guest",
    audited: true,
    about: "change the own password, sessions and API tokens, or sign a browser in",
  },
  "projects.list": {
    on: "server",
    least: "guest",
    nameless: true,
    scope: "read",
    about: "list and search the projects that one may see",
  },
  "projects.create": {
    on: "server",
    least: "member",
    scope: "write",
    audited: true,
    about: "create, import or copy a project",
  },
  "project.view": {
    on: "project",
    least: "viewer",
    scope: "read",
    about: "see the conversation, the files, the preview, the settings and the history",
  },
  "project.secrets": {
    on: "project",
    least: "viewer",
    byLink: "owner",
    scope: "read",
    about: "read files that hold secrets, such as .env",
  },
  "project.export": {
    on: "project",
    least: "viewer",
    byLink: "editor",
    scope: "read",
    about: "download the project, its log or its recorded turns",
  },
  "project.comment": {
    on: "project",
    least: "commenter",
    scope: "write",
    about: "comment on lines, elements and checkpoints, answer and resolve comments",
  },
  "project.edit": {
    on: "project",
    least: "editor",
    scope: "write",
    about: "send messages, change files and data, answer questions",
  },
  "project.push": {
    on: "project",
    least: "editor",
    byLink: "owner",
    scope: "write",
    about: "push, pull and open pull requests with the server's sign-ins at git servers",
  },
  "project.terminals": {
    on: "project",
    least: "editor",
    scope: "write",
    byLink: "owner",
    about: "use terminals: one's own, and those that are shared",
  },
  "project.publish": {
    on: "project",
    least: "owner",
    scope: "publish",
    audited: true,
    about: "publish the project, send it elsewhere, and manage its public app",
  },
  "project.request": {
    on: "project",
    least: "editor",
    byLink: "owner",
    scope: "write",
    audited: true,
    about: "ask for what needs a second person, and withdraw the request",
  },
  "project.review": {
    on: "project",
    least: "owner",
    audited: true,
    about: "try, approve and refuse what somebody else asks for",
  },
  "project.share": {
    on: "project",
    least: "owner",
    scope: "publish",
    audited: true,
    about: "make and revoke links for people without an account",
  },
  "project.configure": {
    on: "project",
    least: "owner",
    scope: "manage",
    audited: true,
    about: "change hosts, secrets, approvals, budget, tool servers and the repository",
  },
  "project.members": {
    on: "project",
    least: "owner",
    scope: "manage",
    audited: true,
    about: "give people and teams a role in the project",
  },
  "project.delete": {
    on: "project",
    least: "owner",
    scope: "manage",
    audited: true,
    ofDeleted: true,
    about: "delete the project, or restore it",
  },
} as const satisfies Record<string, ServerAction | ProjectAction | OpenAction>;

export type Action = keyof typeof ACTIONS;

/** An action's entry, with its optional fields. */
export const actionOf = (action: Action): ServerAction | ProjectAction | OpenAction =>
  ACTIONS[action];

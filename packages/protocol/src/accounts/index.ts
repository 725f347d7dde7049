/** Roles on the server, the one with the most rights first. */
export const SERVER_ROLES = ["owner", "admin", "member", "guest"] as const;
/** A person's role on the server. */
export type ServerRole = (typeof SERVER_ROLES)[number];

/** Roles in a project, from the most to the least. */
export const PROJECT_ROLES = ["owner", "editor", "commenter", "viewer"] as const;
/** The role of a person or team in a project. */
export type ProjectRole = (typeof PROJECT_ROLES)[number];

/** Roles that a link can give, from the most to the least. */
export const LINK_ROLES = ["editor", "commenter", "viewer"] as const satisfies ProjectRole[];
/** The role that an access link gives in its project. */
export type LinkRole = (typeof LINK_ROLES)[number];

/** What an API token may be used for, each within the role of its person. */
export const SCOPES = ["read", "write", "publish", "manage"] as const;
/** One of the things that an API token may be used for. */
export type Scope = (typeof SCOPES)[number];

/** How a request was signed in: the start-up token of this machine, a session, or an API token. */
export const SIGN_INS = ["local", "session", "token"] as const;
/** The way in which a request was signed in. */
export type SignedInVia = (typeof SIGN_INS)[number];

/** Who suspended a person: an administrator, or the identity provider's groups, which no longer let them in. */
export const SUSPENSIONS = ["administrator", "groups"] as const;
/** The one who suspended a person. */
export type Suspension = (typeof SUSPENSIONS)[number];

/** What can need a second person where a team says so. */
export const REVIEW_KINDS = ["publish", "host", "tool-server", "package"] as const;
/**
 * Publishing the project; letting it reach a host; trusting a tool server that its files declare, or a tool of one;
 * installing a package that is new to the team.
 */
export type ReviewKind = (typeof REVIEW_KINDS)[number];

/**
 * `requested`: nobody has answered yet. `approved`: it is being carried out. `overtaken`: a newer request for the same
 * has taken its place, or it is not needed any more. `failed`: it could not be prepared or carried out.
 */
export const REVIEW_STATES = [
  "requested",
  "approved",
  "done",
  "refused",
  "withdrawn",
  "overtaken",
  "failed",
] as const;
/** The state of a request that a second person has to approve. */
export type ReviewState = (typeof REVIEW_STATES)[number];

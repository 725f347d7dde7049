/** Roles and scopes, from the most to the least. */
export const SERVER_ROLES = ["owner", "admin", "member", "guest"] as const;
export type ServerRole = (typeof SERVER_ROLES)[number];

export const PROJECT_ROLES = ["owner", "editor", "viewer"] as const;
export type ProjectRole = (typeof PROJECT_ROLES)[number];

/** What an API token may be used for, each within the role of its person. */
export const SCOPES = ["read", "write", "publish", "manage"] as const;
export type Scope = (typeof SCOPES)[number];

/** How a request was signed in: the start-up token of this machine, a session, or an API token. */
export const SIGN_INS = ["local", "session", "token"] as const;
export type SignedInVia = (typeof SIGN_INS)[number];

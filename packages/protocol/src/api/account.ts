/** Requests and responses of the routes for people and sign-ins. Times are milliseconds since 1970. */
import type { ProjectRole, Scope, ServerRole, SignedInVia, Suspension } from "../accounts/index.ts";

/** The sender of a request, and the sender's rights on the server. */
export interface Me {
  /** `local` for the person at this machine, who has no account. */
  id: string;
  /** Absent for the person at this machine. */
  name?: string | undefined;
  email?: string | undefined;
  role: ServerRole;
  via: SignedInVia;
  /** The rights to which an API token is limited; absent: all rights of its person. */
  scopes?: Scope[] | undefined;
  /** Names of the server's actions that are allowed, such as `projects.create`. */
  actions: string[];
  /** Whether this server has accounts. If not, all other routes for people answer 409 `no-accounts`. */
  accounts: boolean;
}

/** Somebody with an account. */
export interface Person {
  id: string;
  name: string;
  email?: string | undefined;
  role: ServerRole;
  createdAt: number;
  /** Set if the person may not sign in any more: who decided that. */
  suspended?: Suspension | undefined;
}

/** The role that a group of the identity provider gives. */
export interface GroupRule {
  /** The group's name, compared exactly. */
  group: string;
  role?: ServerRole | undefined;
  team?: { id: string; role: ProjectRole } | undefined;
}

/** The result of a token of the identity provider. */
export interface IdentityOutcome {
  /**
   * `role-from-groups`: a rule gave the role; `own-role`: no rule gives one, so the person keeps
   * theirs; `signed-up`: the domain of the address gave an account; `last-owner`: the groups give
   * less, but nobody else owns the server; `not-admitted`: nothing lets the person in;
   * `email-taken`: an account with the same address is not connected; `refused`: the provider no
   * longer vouches for the person; `unreachable`: it has not answered for too long.
   */
  code: "role-from-groups" | "own-role" | "signed-up" | "last-owner" | "not-admitted" | "email-taken" | "refused" | "unreachable"; // prettier-ignore
  /** The role on the server after it. */
  role?: ServerRole | undefined;
  teams: { id: string; role: ProjectRole }[];
  /** The groups for which there is a rule. */
  matched: string[];
  at: number;
}

/** What the last token of the identity provider contained, without the token. */
export interface IdentityReport {
  at: number;
  from: "sign-in" | "refresh";
  name?: string | undefined;
  email?: string | undefined;
  isEmailVerified: boolean;
  /** Names of the claims. */
  claims: string[];
  groupsClaim: string;
  /** Absent if the token has no such claim. */
  groups?: string[] | undefined;
  outcome: IdentityOutcome;
}

/** An account at the identity provider. */
export interface ExternalIdentity {
  id: string;
  issuer: string;
  subject: string;
  /** Absent for somebody who was not let in. */
  person?: string | undefined;
  report: IdentityReport;
}

/** The identity provider of a server, and what its groups grant. */
export interface IdentityProvider {
  issuer: string;
  name: string;
  groupsClaim: string;
  linksByEmail: boolean;
  domains: string[];
  /** Rules of the server's environment, which nobody changes here. */
  fixed: GroupRule[];
  rules: GroupRule[];
}

/** A browser that is signed in. */
export interface BrowserSession {
  id: string;
  createdAt: number;
  seenAt: number;
  expiresAt: number;
  /** The browser, as it names itself. */
  agent: string;
  /** Whether it is the session of this request. */
  current: boolean;
}

/** A sign-in method of a person, without its secret. */
export interface SignInMethod {
  id: string;
  kind: "password" | "totp" | "recovery" | "passkey";
  name: string;
  createdAt: number;
  usedAt?: number | undefined;
  /** How many recovery codes were not used yet. */
  left?: number | undefined;
}

/** What signing in needs on this server. */
export interface SignInRules {
  /** Whether a password signs in only together with an authenticator app. */
  secondFactor: boolean;
}

/** A token with which a program acts for a person, without the token itself. */
export interface ApiToken {
  id: string;
  name: string;
  scopes: Scope[];
  createdAt: number;
  expiresAt?: number | undefined;
  usedAt?: number | undefined;
}

/** What a program asks for in a sign-in by a code. */
export interface DeviceRequest {
  /** How the program names itself, such as the machine's name. */
  name: string;
  scopes: Scope[];
  /** How long the token is to be valid. */
  days: number;
}

/** What a program is answered. */
export type DeviceAnswer =
  | { state: "pending" | "denied" | "expired" }
  | { state: "granted"; token: string; expiresAt: number };

/** An unused link with which somebody gets an account. */
export interface Invitation {
  id: string;
  role: ServerRole;
  email?: string | undefined;
  project?: { id: string; role: ProjectRole } | undefined;
  team?: { id: string; role: ProjectRole } | undefined;
  createdAt: number;
  expiresAt: number;
}

/** A person or team with a role in a project. */
export interface ProjectMember {
  kind: "person" | "team";
  id: string;
  role: ProjectRole;
}

/** The actions that the sender of the request may perform in a project. */
export interface ProjectAccess {
  /** Names of actions, such as `project.edit`. */
  actions: string[];
}

/** A group of people who share its roles in projects. */
export interface Team {
  id: string;
  name: string;
  members: { person: string; role: ProjectRole }[];
}

/** One line of the audit log. */
export interface AuditEntry {
  id: string;
  at: number;
  person: string;
  /** The person's name at that time. */
  name: string;
  via: SignedInVia;
  /** The action's name, or `sign-in`. */
  action: string;
  /** The method and the pattern of the address. */
  what: string;
  /** The values in that address. */
  values: Record<string, string>;
}

/** Where entries of the audit log are sent on to. */
export interface AuditTargets {
  webhook?: { url: string } | undefined;
  /** A server that takes RFC 5424 over TCP. */
  syslog?: { host: string; port: number; tls: boolean } | undefined;
}

/** Where entries are sent on to, and how the latest attempts ended. */
export interface AuditForwarding extends AuditTargets {
  /** Whether a secret signs what the webhook gets. The secret itself is never sent. */
  isSigned: boolean;
  last: Partial<Record<keyof AuditTargets, { at: number; failure?: string }>>;
}

/** A filter for entries of the audit log; absent fields match every entry. */
export interface AuditFilter {
  person?: string | undefined;
  action?: string | undefined;
  /** The first moment and the end (exclusive), in milliseconds since 1970. */
  from?: number | undefined;
  to?: number | undefined;
}

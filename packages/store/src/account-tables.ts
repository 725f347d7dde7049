import type { ReviewKind, ReviewState } from "@treadle/protocol";
import type { LinkRole, ProjectRole, ServerRole, Suspension } from "@treadle/protocol/accounts";

/** The tables of people. Times are milliseconds since 1970; secrets are only stored as digests, hashes or sealed. */
export interface AccountTables {
  people: {
    id: string;
    name: string;
    email: string | null;
    role: ServerRole;
    created_at: number;
    /** Who took the sign-in away; null for people who may sign in. */
    suspended: Suspension | null;
    /** The access link by which a guest without an account entered; null for everybody else. */
    guest_of: string | null;
  };
  /** Accounts at an identity provider. */
  identities: {
    id: string;
    issuer: string;
    subject: string;
    /** The person with this account; null if the person was refused. */
    person: string | null;
    /** The role without any from groups; null if only groups let the person in. */
    base_role: ServerRole | null;
    /** The role that groups gave last. */
    granted_role: ServerRole | null;
    /** Sealed. */
    refresh_token: string | null;
    /** The claims of the last token and what they granted, as JSON. */
    report: string;
    /** When a refresh was last begun, and when the provider last confirmed the account. */
    tried_at: number;
    confirmed_at: number;
  };
  credentials: {
    id: string;
    person: string;
    kind: "password" | "totp" | "recovery" | "passkey";
    name: string;
    value: string;
    created_at: number;
    used_at: number | null;
  };
  sessions: {
    /** SHA-256 of what the cookie holds. */
    id: string;
    person: string;
    created_at: number;
    seen_at: number;
    expires_at: number;
    /** The browser, as it named itself. */
    agent: string;
    /** The account at an identity provider with which it was opened. */
    identity: string | null;
    /** When the session ends even if it is used; null: after the usual time. */
    ends_at: number | null;
  };
  sign_in_links: {
    /** SHA-256 of the secret in the link. */
    id: string;
    purpose: "sign-in" | "invitation" | "oidc" | "device" | "user-code" | "passkey";
    /** What the link grants, as JSON. */
    terms: string;
    created_by: string | null;
    created_at: number;
    expires_at: number;
  };
  api_tokens: {
    /** SHA-256 of the token. */
    id: string;
    person: string;
    name: string;
    /** JSON list of `Scope`. */
    scopes: string;
    created_at: number;
    expires_at: number | null;
    used_at: number | null;
  };
  teams: { id: string; name: string; created_at: number };
  team_members: {
    team: string;
    person: string;
    role: ProjectRole;
    /** Whether a person granted the role, or the groups of an identity provider. */
    granted_by: "person" | "groups";
  };
  project_members: {
    project: string;
    kind: "person" | "team";
    member: string;
    role: ProjectRole;
  };
  /** Links that grant a role in one project until a date. */
  access_links: {
    id: string;
    project: string;
    role: LinkRole;
    /** SHA-256 of the secret in the link. */
    secret: string;
    /** 1 if guests may come in without an account. */
    nameless: number;
    created_by: string;
    created_at: number;
    expires_at: number;
    uses: number;
    used_at: number | null;
  };
  /** The people who entered through an access link. */
  link_guests: { link: string; person: string };
  /** The audit log. Rows are only appended; their ids are in the order of time. */
  audit: { id: string; at: number; person: string; action: string; entry: string };
  /** One row for each model call. It outlives the person, the team and the project. */
  spending: {
    id: string;
    at: number;
    person: string;
    team: string | null;
    project: string | null;
    run: string | null;
    /** `provider:model`. */
    model: string;
    /** Includes `cached_tokens`. */
    input_tokens: number;
    cached_tokens: number;
    output_tokens: number;
    /** Null if the model's price is not known. */
    cost_usd: number | null;
  };
  /** The sums of `spending` of each month, kept by whatever adds a row to it. */
  month_sums: {
    kind: "person" | "team" | "project";
    subject: string;
    /** Its first millisecond in UTC. */
    month: number;
    tokens: number;
    /** Of the calls whose price is known. */
    cost_usd: number;
  };
  /** Limits of a month. */
  budgets: {
    kind: "person" | "team" | "project";
    /** An id; `*` for everybody of that kind without a budget of their own. */
    subject: string;
    cost_usd: number | null;
    tokens: number | null;
  };
  /** Requests that a second person has to approve. At most one of a project, kind and subject is open. */
  reviews: {
    id: string;
    project: string;
    kind: ReviewKind;
    /** Empty for publishing. */
    subject: string;
    state: ReviewState;
    asked_by: string;
    asked_at: number;
    answered_by: string | null;
    /** What the request is about and how it was answered, as JSON. */
    details: string;
  };
  /** The kinds of actions that need a second person in the projects of a team. */
  review_rules: { team: string; kind: ReviewKind };
  /** Packages that were approved for all projects of a team, and what they brought then. */
  team_packages: {
    team: string;
    name: string;
    /** The version that the request was about; empty for what it brought. */
    version: string;
    /** The approved request. */
    review: string;
    approved_at: number;
  };
  /** Approvals of all later requests of a kind in a project. */
  standing_approvals: { project: string; kind: ReviewKind; given_by: string; given_at: number };
}

import type { ProjectRole, ServerRole } from "@treadle/protocol/accounts";

/** The tables of people. Times are milliseconds since 1970; secrets are only stored as digests, hashes or sealed. */
export interface AccountTables {
  people: { id: string; name: string; email: string | null; role: ServerRole; created_at: number };
  credentials: {
    id: string;
    person: string;
    kind: "password" | "totp" | "passkey" | "oidc";
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
  };
  sign_in_links: {
    /** SHA-256 of the secret in the link. */
    id: string;
    purpose: "sign-in" | "invitation";
    /** What it grants, as JSON. */
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
  team_members: { team: string; person: string; role: ProjectRole };
  project_members: {
    project: string;
    kind: "person" | "team";
    member: string;
    role: ProjectRole;
  };
  /** Only ever appended to. Ids are in the order of time. */
  audit: { id: string; at: number; entry: string };
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
  /** Limits of a month. */
  budgets: {
    kind: "person" | "team" | "project";
    /** An id; `*` for everybody of that kind without a budget of their own. */
    subject: string;
    cost_usd: number | null;
    tokens: number | null;
  };
}

import { readFileSync } from "node:fs";
import { SERVER_ROLES, type ServerRole } from "@treadle/protocol/accounts";

/** The identity provider of this server, as its operator sets it. */
export interface OidcSettings {
  issuer: URL;
  clientId: string;
  /** Undefined for a public client, which PKCE alone protects. */
  clientSecret: string | undefined;
  /** The provider's name on the button of the sign-in page. */
  name: string;
  /**
   * The scopes to request; undefined: those of `openid profile email offline_access` that the provider supports.
   */
  scopes: string | undefined;
  /** The claim that lists a person's groups. */
  groupsClaim: string;
  /** Roles by group, set by the operator; no administrator can change them. */
  groupRoles: ReadonlyMap<string, ServerRole>;
  /** Whether a sign-in with a verified address connects to an existing account with the same address. */
  linksByEmail: boolean;
  /** Domains whose verified addresses get an account as `member`, in lower case. */
  domains: ReadonlySet<string>;
}

type Env = Record<string, string | undefined>;

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Reads the settings of the identity provider from the environment.
 * @returns undefined if TREADLE_OIDC_ISSUER is not set
 * @throws Error with a sentence that names the invalid variable
 */
export function readOidcSettings(env: Env): OidcSettings | undefined {
  const text = (name: string) => env[name]?.trim() || undefined;
  const issuerText = text("TREADLE_OIDC_ISSUER");
  if (issuerText === undefined) return undefined;
  const issuer = URL.canParse(issuerText) ? new URL(issuerText) : undefined;
  const isSafe =
    issuer?.protocol === "https:" ||
    (issuer?.protocol === "http:" && LOOPBACK.test(issuer.hostname));
  if (!issuer || !isSafe || issuer.pathname.includes("/.well-known/"))
    throw new Error(
      `TREADLE_OIDC_ISSUER is the https address of an issuer, without /.well-known, not ${JSON.stringify(issuerText)}. Only an issuer on this machine can use http.`,
    );
  const clientId = text("TREADLE_OIDC_CLIENT_ID");
  if (clientId === undefined) throw new Error("TREADLE_OIDC_ISSUER needs TREADLE_OIDC_CLIENT_ID.");
  return {
    issuer,
    clientId,
    clientSecret:
      text("TREADLE_OIDC_CLIENT_SECRET") ?? readSecretFile(text("TREADLE_OIDC_CLIENT_SECRET_FILE")),
    name: text("TREADLE_OIDC_NAME") ?? issuer.host,
    scopes: text("TREADLE_OIDC_SCOPES"),
    groupsClaim: text("TREADLE_OIDC_GROUPS_CLAIM") ?? "groups",
    groupRoles: readGroupRoles(text("TREADLE_OIDC_GROUP_ROLES")),
    linksByEmail: readSwitch("TREADLE_OIDC_LINK_BY_EMAIL", text("TREADLE_OIDC_LINK_BY_EMAIL")),
    domains: new Set((text("TREADLE_OIDC_DOMAINS") ?? "").toLowerCase().split(/[\s,]+/).filter(Boolean)), // prettier-ignore
  };
}

function readSecretFile(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new Error(
      `TREADLE_OIDC_CLIENT_SECRET_FILE cannot be read: ${(error as Error).message}.`,
      { cause: error },
    );
  }
}

function readSwitch(name: string, value = "0"): boolean {
  if (value === "0" || value === "1") return value === "1";
  throw new Error(`${name} is 1 or 0, not ${JSON.stringify(value)}.`);
}

/**
 * Reads the operator's roles by group.
 * @param text JSON such as `{"staff": "member"}`: names of groups contain commas and equals signs
 * @throws Error with a sentence that names the variable
 */
function readGroupRoles(text: string | undefined): Map<string, ServerRole> {
  if (text === undefined) return new Map();
  const problem = `TREADLE_OIDC_GROUP_ROLES is JSON such as {"staff": "member"}, with the roles ${SERVER_ROLES.join(", ")}.`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(problem);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(problem);
  return new Map(
    Object.entries(value).map(([group, named]) => {
      const role = SERVER_ROLES.find((one) => one === named);
      if (role === undefined) throw new Error(problem);
      return [group, role];
    }),
  );
}

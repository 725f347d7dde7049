import type { ClientAuth, Configuration, IDToken, UserInfoResponse } from "openid-client";
import { claimAt } from "./claim-at.ts";
import type { OidcSettings } from "./oidc-settings.ts";

/** The data of a sign-in that are stored while the browser is at the provider. */
export interface AuthorizationFlow {
  state: string;
  nonce: string;
  verifier: string;
  redirectUri: string;
}

/** The provider's answer about a person. */
export interface ProviderAnswer {
  issuer: string;
  subject: string;
  /** Names of the claims, at most 100. */
  claims: string[];
  /** The person's groups; undefined if there is no such claim. */
  groups: string[] | undefined;
  name: string | undefined;
  email: string | undefined;
  /** Whether the provider has verified the address. */
  isEmailVerified: boolean;
  /** Undefined if the provider gave none. */
  refreshToken: string | undefined;
}

/** The server's identity provider, found by discovery. */
export interface Provider {
  /** Begins an authorization code flow with PKCE, state and nonce. */
  begin(redirectUri: string): Promise<{ address: string; flow: AuthorizationFlow }>;
  /**
   * Redeems the code with which a browser came back.
   * @param parameters the query of the address that the browser came back to
   * @throws Error if the state, issuer, nonce, code or signature does not belong to this flow
   */
  redeem(parameters: URLSearchParams, flow: AuthorizationFlow): Promise<ProviderAnswer>;
  /**
   * Asks about a person again. Resolves with `refused` if the provider no longer accepts the refresh token, or
   * answers about somebody else.
   * @throws Error if the provider could not be asked
   */
  refresh(refreshToken: string, subject: string): Promise<ProviderAnswer | "refused">;
}

const SCOPES = ["openid", "profile", "email", "offline_access"];
/** How long the provider may take to answer, in seconds. */
const ANSWER_S = 15;
/** Maximum number of claims and of groups that are read, and of characters of each. */
const MAX_CLAIMS = 100;
const MAX_GROUPS = 500;
const MAX_CHARS = 200;

type Claims = IDToken | (IDToken & UserInfoResponse);

/** Creates the provider. Its library is loaded, and its settings are discovered, when somebody first signs in. */
export function createProvider(settings: OidcSettings): Provider {
  const { issuer, clientId, clientSecret, groupsClaim } = settings;
  let discovered: Promise<Configuration> | undefined;

  async function discover(): Promise<Configuration> {
    const client = await import("openid-client");
    const authenticate: ClientAuth = (server, ...request) => {
      if (clientSecret === undefined) return client.None()(server, ...request);
      const takesBasic = server.token_endpoint_auth_methods_supported?.includes("client_secret_basic") ?? true; // prettier-ignore
      const by = takesBasic ? client.ClientSecretBasic : client.ClientSecretPost;
      return by(clientSecret)(server, ...request);
    };
    const config = await client.discovery(issuer, clientId, {}, authenticate, {
      timeout: ANSWER_S,
      // Settings allow this for an issuer on this machine alone.
      execute: issuer.protocol === "http:" ? [client.allowInsecureRequests] : [],
    });
    // Also checks the signature of tokens that come directly from the provider.
    client.enableNonRepudiationChecks(config);
    return config;
  }
  const configuration = () =>
    (discovered ??= discover().catch((error: unknown) => {
      discovered = undefined;
      throw error;
    }));

  /** Reads the claims of the ID token and, if it lacks the groups or the email address, of the user info. */
  async function answerFor(
    config: Configuration,
    { id, accessToken, subject }: { id: IDToken | undefined; accessToken: string; subject: string },
    refreshToken: string | undefined,
  ): Promise<ProviderAnswer> {
    let claims = { ...id, sub: subject } as Claims;
    let info: UserInfoResponse | undefined;
    const isComplete = claimAt(claims, groupsClaim) !== undefined && "email" in claims;
    if (!isComplete && config.serverMetadata().userinfo_endpoint !== undefined) {
      const { fetchUserInfo } = await import("openid-client");
      info = await fetchUserInfo(config, accessToken, subject);
      claims = { ...info, ...claims };
    }
    return {
      issuer: config.serverMetadata().issuer,
      subject,
      claims: Object.keys(claims).toSorted().slice(0, MAX_CLAIMS).map(cut),
      groups: readGroups(claimAt(claims, groupsClaim) ?? claimAt(info, groupsClaim)),
      name: readText(claims["name"]) ?? readText(claims["preferred_username"]),
      email: readText(claims["email"]),
      isEmailVerified: claims["email_verified"] === true,
      refreshToken,
    };
  }

  return {
    async begin(redirectUri) {
      const config = await configuration();
      const client = await import("openid-client");
      const flow = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        redirectUri,
      };
      const supported = config.serverMetadata().scopes_supported;
      const known = SCOPES.filter((scope) => supported?.includes(scope) ?? scope !== "offline_access"); // prettier-ignore
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scopes ?? [...new Set(["openid", ...known])].join(" "),
        code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: "S256",
        state: flow.state,
        nonce: flow.nonce,
      });
      return { address: address.href, flow };
    },
    async redeem(parameters, { state, nonce, verifier, redirectUri }) {
      const config = await configuration();
      const { authorizationCodeGrant } = await import("openid-client");
      const address = new URL(redirectUri);
      address.search = parameters.toString();
      const tokens = await authorizationCodeGrant(config, address, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const id = tokens.claims()!;
      const about = { id, accessToken: tokens.access_token, subject: id.sub };
      return answerFor(config, about, tokens.refresh_token);
    },
    async refresh(refreshToken, subject) {
      const config = await configuration();
      const { refreshTokenGrant } = await import("openid-client");
      const tokens = await refreshTokenGrant(config, refreshToken).catch((error: unknown) => {
        if ((error as { error?: unknown }).error === "invalid_grant") return undefined;
        throw error;
      });
      const id = tokens?.claims();
      if (!tokens || (id && id.sub !== subject)) return "refused";
      const about = { id, accessToken: tokens.access_token, subject };
      return answerFor(config, about, tokens.refresh_token ?? refreshToken);
    },
  };
}

const cut = (text: string): string => text.slice(0, MAX_CHARS);

const readText = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? cut(value.trim()) : undefined;

/** The names of groups in a claim, which some providers give as a single string; undefined without the claim. */
function readGroups(value: unknown): string[] | undefined {
  if (value === undefined) return undefined;
  const all: unknown[] = Array.isArray(value) ? value : [value];
  // A name that is too long is left out: the beginning of it may be another group's name.
  return all
    .filter((one) => typeof one === "string" && one !== "" && one.length <= MAX_CHARS)
    .slice(0, MAX_GROUPS) as string[];
}

import { randomBytes } from "node:crypto";
import type { SignInProvider } from "@treadle/agent";

type Tokens = Parameters<SignInProvider["saveTokens"]>[0];
type Client = Parameters<NonNullable<SignInProvider["saveClientInformation"]>>[0];
type Authority = Parameters<NonNullable<SignInProvider["saveAuthorizationServerInformation"]>>[0];

interface Kept {
  /** The server's address: a token is not used for another one configured under its name. */
  at?: string | undefined;
  tokens?: Tokens | undefined;
  client?: Client | undefined;
  authority?: Authority | undefined;
  verifier?: string | undefined;
  state?: string | undefined;
}

/**
 * A sign-in at one server (OAuth 2.1 with PKCE). Its tokens are stored and never leave this server.
 */
export interface SignIn {
  provider: SignInProvider;
  /** The sign-in page; known once the server requested a sign-in. */
  address(): URL | undefined;
  isFor(state: string): Promise<boolean>;
}

export function createSignIn(options: {
  /** The address of our own redirect page. */
  redirect(): string;
  /** The server's address. */
  url: string;
  read(): Promise<Kept | undefined>;
  write(kept: Kept): Promise<void>;
}): SignIn {
  let address: URL | undefined;
  const { url: at } = options;
  async function read(): Promise<Kept> {
    const found = await options.read();
    return found?.at === at ? found : {};
  }
  const change = async (next: Kept) => options.write({ ...(await read()), ...next, at });
  return {
    address: () => address,
    isFor: async (state) => (await read()).state === state,
    provider: {
      get redirectUrl() {
        return options.redirect();
      },
      get clientMetadata() {
        return {
          client_name: "Treadle",
          redirect_uris: [options.redirect()],
          grant_types: ["authorization_code", "refresh_token"],
          response_types: ["code"],
          token_endpoint_auth_method: "none",
        };
      },
      tokens: async () => (await read()).tokens,
      saveTokens: (tokens) => change({ tokens, verifier: undefined, state: undefined }),
      clientInformation: async () => (await read()).client,
      isClientInformationDynamicallyRegistered: () => true,
      saveClientInformation: (client) => change({ client }),
      authorizationServerInformation: async () => (await read()).authority,
      saveAuthorizationServerInformation: (authority) => change({ authority }),
      redirectToAuthorization(to) {
        // Nothing redirects there: the page offers it as a link.
        if (/^https?:$/.test(to.protocol)) address = to;
      },
      saveCodeVerifier: (verifier) => change({ verifier }),
      async codeVerifier() {
        const { verifier } = await read();
        if (verifier === undefined) throw new Error("Nobody began to sign in.");
        return verifier;
      },
      state: () => randomBytes(24).toString("base64url"),
      saveState: (state) => change({ state }),
      storedState: async () => (await read()).state,
      async invalidateCredentials(scope) {
        if (scope === "all") return options.write({});
        if (scope === "client") return change({ client: undefined });
        if (scope === "tokens") return change({ tokens: undefined });
        return change({ verifier: undefined });
      },
    },
  };
}

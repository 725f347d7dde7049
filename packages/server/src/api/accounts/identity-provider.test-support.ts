/** A real OpenID provider on this machine, whose people and tokens a test changes. */
import { createServer } from "node:http";
import { createSign, generateKeyPairSync } from "node:crypto";
import type { AddressInfo } from "node:net";

/** Claims of an account at the provider, beside `sub`. */
export interface ProviderAccount {
  name?: string;
  email?: string;
  email_verified?: boolean;
  groups?: string[];
}

type Token = { header: Record<string, unknown>; claims: Record<string, unknown> };

/** The parts of the provider's own types that are used here: it comes without any. */
interface Library {
  new (issuer: string, settings: object): LibraryProvider;
}
interface LibraryProvider {
  callback(): (request: unknown, response: unknown) => void;
  use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
  interactionFinished(request: unknown, response: unknown, result: object): Promise<void>;
  Grant: new (about: object) => { addOIDCScope(scope: string): void; save(): Promise<void> };
}
interface Context {
  path: string;
  body: unknown;
  oidc: {
    client: { clientId: string };
    session: { accountId: string };
    provider: LibraryProvider;
  };
}

export type IdentityProviderServer = Awaited<ReturnType<typeof startIdentityProvider>>;

export async function startIdentityProvider() {
  // @ts-expect-error: it comes without types.
  const { default: Provider } = (await import("oidc-provider")) as { default: Library };
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const key = { ...privateKey.export({ format: "jwk" }), kid: "one", alg: "RS256", use: "sig" };

  const accounts = new Map<string, ProviderAccount>();
  let signedIn = "";
  let provider: LibraryProvider | undefined;
  let handle: ((request: unknown, response: unknown) => void) | undefined;
  /** Changes an ID token before it is sent; it is signed anew unless its `alg` is none. */
  let forge: ((token: Token) => Token & { by?: "stranger" }) | undefined;

  const http = createServer((request, response) => {
    if (request.url?.startsWith("/interaction/"))
      void provider?.interactionFinished(request, response, { login: { accountId: signedIn } });
    else handle?.(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  function forged(token: string): string {
    const [header, claims] = token
      .split(".")
      .map((part) => Buffer.from(part, "base64url").toString());
    const made = forge!({ header: JSON.parse(header!) as {}, claims: JSON.parse(claims!) as {} });
    const text = `${encode(made.header)}.${encode(made.claims)}`;
    if (made.header["alg"] === "none") return `${text}.`;
    const by = made.by === "stranger" ? stranger : privateKey;
    return `${text}.${createSign("RSA-SHA256").update(text).sign(by, "base64url")}`;
  }

  return {
    issuer,
    accounts,
    clientId: "treadle",
    clientSecret: "a secret of the client",
    /** Who signs in at the provider from now on. */
    signInAs: (subject: string) => void (signedIn = subject),
    forgeTokens: (change: typeof forge) => void (forge = change),
    /** Begins to answer. */
    register(redirectUris: string[]) {
      provider = new Provider(issuer, {
        clients: [
          {
            client_id: "treadle",
            client_secret: "a secret of the client",
            redirect_uris: redirectUris,
            grant_types: ["authorization_code", "refresh_token"],
          },
        ],
        jwks: { keys: [key] },
        cookies: { keys: ["a key of the provider's cookies"] },
        claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"], groups: ["groups"] }, // prettier-ignore
        scopes: ["openid", "profile", "email", "offline_access", "groups"],
        conformIdTokenClaims: false,
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
        issueRefreshToken: () => true,
        ttl: { Session: 3600, Grant: 3600, Interaction: 600, AccessToken: 600, IdToken: 600, RefreshToken: 3600 }, // prettier-ignore
        findAccount: (_: Context, subject: string) => {
          const claims = accounts.get(subject);
          return claims && { accountId: subject, claims: () => ({ sub: subject, ...claims }) };
        },
        async loadExistingGrant({ oidc }: Context) {
          const grant = new oidc.provider.Grant({
            clientId: oidc.client.clientId,
            accountId: oidc.session.accountId,
          });
          grant.addOIDCScope("openid profile email offline_access groups");
          await grant.save();
          return grant;
        },
      });
      provider.use(async (context, next) => {
        await next();
        const body = context.body as { id_token?: string } | undefined;
        if (forge && context.path === "/token" && body?.id_token !== undefined)
          context.body = { ...body, id_token: forged(body.id_token) };
      });
      handle = provider.callback();
    },
    /**
     * Signs in as a browser does.
     * @returns the address at the client to which the provider sends the browser
     */
    async visit(address: string, client: string): Promise<URL> {
      const jar = new Map<string, string>();
      let at = new URL(address);
      while (!at.href.startsWith(client)) {
        const cookie = [...jar].map((pair) => pair.join("=")).join("; ");
        const response = await fetch(at, { redirect: "manual", headers: { cookie } });
        for (const set of response.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          jar.set(name, value);
        }
        const location = response.headers.get("location");
        if (location === null) throw new Error(`${at.href}: ${await response.text()}`);
        at = new URL(location, at);
      }
      return at;
    },
    close: () =>
      new Promise<void>((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
}

import { describe, expect, it } from "vitest";
import type { AddressesOf } from "../fetch/checked-fetch.ts";
import { noLessPublic } from "./no-less-public.ts";
import { signIn, type SignInProvider } from "./sign-in.ts";

const SERVER = "https://mcp.example.com/mcp";
const ADDRESSES: Record<string, string[]> = {
  "mcp.example.com": ["93.184.216.34"],
  "login.example.com": ["93.184.216.35"],
  "inward.example.com": ["127.0.0.1"],
  "mcp.office.example": ["10.0.0.2"],
};
const resolve = async (host: string) => ADDRESSES[host] ?? [host];

/**
 * Wraps the connecting fetch with the address check that precedes it, and with an answer in place of the connection.
 */
const looked =
  (answers: (input: string | URL | Request) => Promise<Response>) =>
  (addressesOf: AddressesOf): typeof fetch =>
  async (input) => {
    await addressesOf(new URL(input instanceof Request ? input.url : input).hostname);
    return answers(input);
  };

/** A sign-in that stores nothing, and records where it would have sent the user. */
function provider() {
  const led: string[] = [];
  const signInProvider: SignInProvider = {
    redirectUrl: "http://localhost:4173/mcp/sign-in",
    clientMetadata: { redirect_uris: ["http://localhost:4173/mcp/sign-in"] },
    tokens: () => undefined,
    saveTokens: () => undefined,
    clientInformation: () => undefined,
    saveClientInformation: () => undefined,
    redirectToAuthorization: (to) => void led.push(to.href),
    saveCodeVerifier: () => undefined,
    codeVerifier: () => "verifier",
  };
  return { signInProvider, led };
}

/** Starts signing in at a server that names `authority` for it, and lists the hosts that were contacted. */
async function begin(authority: string, named: Record<string, string> = {}) {
  const called = new Set<string>();
  const answers = async (input: string | URL | Request): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    called.add(url.host);
    if (url.pathname.includes("oauth-protected-resource"))
      return Response.json({ resource: SERVER, authorization_servers: [authority] });
    if (url.pathname === "/register")
      return Response.json({
        client_id: "c",
        redirect_uris: [provider().signInProvider.redirectUrl],
      });
    return Response.json({
      issuer: authority,
      authorization_endpoint: `${authority}/authorize`,
      token_endpoint: `${authority}/token`,
      registration_endpoint: `${authority}/register`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      ...named,
    });
  };
  const { signInProvider, led } = provider();
  const fetching = noLessPublic(SERVER, looked(answers), resolve);
  const error = await signIn(signInProvider, SERVER, undefined, fetching).then(
    () => undefined,
    (failure: Error) => failure,
  );
  return { called: [...called], led, error };
}

describe("signing in at a server of the internet", () => {
  it("is done by whom it names", async () => {
    const { called, led, error } = await begin("https://login.example.com");
    expect(error).toBeUndefined();
    expect(called).toEqual(["mcp.example.com", "login.example.com"]);
    expect(led[0]).toContain("https://login.example.com/authorize?");
  });

  it.each([
    "http://127.0.0.1:9",
    "http://localhost:9",
    "http://169.254.169.254",
    "http://[::1]:9",
    "https://inward.example.com",
    "file:///etc/passwd",
  ])("A39 is not done by %s", async (authority) => {
    const { called, led, error } = await begin(authority);
    expect(called).toEqual(["mcp.example.com"]);
    expect(led).toEqual([]);
    expect(error).toMatchObject({ code: "unauthorized" });
  });

  it.each(["http://127.0.0.1:9/register", "https://inward.example.com/register"])(
    "A39 sends nothing to %s",
    async (registration_endpoint) => {
      const named = { registration_endpoint };
      const { called, error } = await begin("https://login.example.com", named);
      expect(called).toEqual(["mcp.example.com", "login.example.com"]);
      expect(error).toMatchObject({ code: "unauthorized" });
    },
  );
});

it("a server that never answers is not waited for without end", async () => {
  const never = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((_resolve, reject) =>
      init?.signal?.addEventListener("abort", () => reject(new Error("late"))),
    );
  await expect(
    signIn(provider().signInProvider, SERVER, undefined, never as typeof fetch, 10),
  ).rejects.toMatchObject({ code: "unauthorized" });
});

it("a server of the own network may name others of it", async () => {
  const fetching = noLessPublic(
    "https://mcp.office.example/mcp",
    looked(async () => new Response("x")),
    resolve,
  );
  expect((await fetching("http://10.0.0.3/token")).status).toBe(200);
});

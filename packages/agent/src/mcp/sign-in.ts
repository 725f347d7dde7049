import { asSentence } from "@treadle/protocol/sentences";
import { auth, type OAuthClientProvider } from "@ai-sdk/mcp";
import { clipLine } from "../text/clip.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { LIST_MS } from "./limits.ts";
import { noLessPublic } from "./no-less-public.ts";
import { McpError } from "./types.ts";

/** Keeps what signing in needs and gives. */
export type SignInProvider = OAuthClientProvider;

/**
 * Begins to sign in at a server, or ends it with what its sign-in page gave back.
 * @returns whether the person is signed in now; else the provider was told where they can sign in
 * @throws McpError
 */
export async function signIn(
  provider: SignInProvider,
  url: string,
  given?: { code: string; state: string; issuer?: string | undefined },
  fetchFn: typeof fetch = noLessPublic(url),
  timeoutMs = LIST_MS,
): Promise<boolean> {
  const timed: typeof fetch = (input, init) => {
    const late = AbortSignal.timeout(timeoutMs);
    return fetchFn(input, {
      ...init,
      signal: init?.signal ? AbortSignal.any([init.signal, late]) : late,
    });
  };
  try {
    const result = await auth(provider, {
      serverUrl: url,
      fetchFn: boundedFetch(timed),
      ...(given
        ? {
            authorizationCode: given.code,
            callbackState: given.state,
            callbackIssuer: given.issuer,
          }
        : {}),
    });
    return result === "AUTHORIZED";
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new McpError("unauthorized", asSentence(clipLine(message, 400)));
  }
}

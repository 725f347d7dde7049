import { asSentence } from "@treadle/protocol/sentences";
import { auth, type OAuthClientProvider } from "@ai-sdk/mcp";
import { clipLine } from "../text/clip.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { LIST_MS } from "./limits.ts";
import { noLessPublic } from "./no-less-public.ts";
import { McpError } from "./types.ts";

/** Stores the tokens and the client data of a sign-in. */
export type SignInProvider = OAuthClientProvider;

/**
 * Begins to sign in at a server or, given the code of its sign-in page, completes it.
 * @returns whether the person is signed in now; otherwise the provider was given the address of the sign-in page
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

import { sentence } from "@treadle/protocol/sentences";
import { clipLine } from "../text/clip.ts";
import { visibleText } from "@treadle/protocol/safe-text";
import { asMcpError, refused } from "./as-mcp-error.ts";
import { McpError, type McpErrorCode } from "./types.ts";

/** Codes under which a failed sign-in can appear. */
const HIDING = new Set<McpErrorCode>(["malformed", "failed", "unreachable", "ended", "http"]);
const SENTENCE = 400;

export interface RefusalWatch {
  fetch: typeof fetch;
  /** The error to report: that a key is required, if a failed sign-in concealed it. */
  named(error: unknown): McpError;
}

/**
 * Remembers that a server answered 401. The library then tries to sign in; if the server only accepts a key, the
 * library reports that failure instead, at an address that nobody configured.
 */
export function watchRefusal(server: string, fetchFn: typeof fetch): RefusalWatch {
  const own = new URL(server).href;
  let seen: { body: string } | undefined;
  /** Whether any address described a sign-in server. */
  let signs = false;
  return {
    async fetch(input, init) {
      const response = await fetchFn(input, init);
      const { href } = new URL(input instanceof Request ? input.url : input);
      if (href !== own) {
        signs ||= response.ok && /json/.test(response.headers.get("content-type") ?? "");
        return response;
      }
      seen = undefined;
      if (response.status !== 401) return response;
      signs = false;
      // The library does not read the body.
      const body = await response.text();
      seen = { body };
      return new Response(body, { status: 401, headers: response.headers });
    },
    named(error) {
      const known = asMcpError(error);
      // A server that was signed in to can be signed in to again.
      if (known.code === "refused")
        return new McpError("unauthorized", known.sentence, known.facts);
      if (!seen || !HIDING.has(known.code)) return known;
      if (!signs) return refused(seen.body);
      const message =
        error instanceof Error && known.code !== "unreachable" ? error.message : known.message;
      return new McpError(
        "refused",
        sentence("sign-in-failed", { why: clipLine(visibleText(message), SENTENCE) }),
        { status: 401 },
      );
    },
  };
}

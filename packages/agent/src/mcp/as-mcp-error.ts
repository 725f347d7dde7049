import { asSentence, sentence } from "@treadle/protocol/sentences";
import { MCPClientError, UnauthorizedError } from "@ai-sdk/mcp";
import { clipLine } from "../text/clip.ts";
import { visibleText } from "@treadle/protocol/safe-text";
import { McpError } from "./types.ts";

const SENTENCE = 500;
/** The code of JSON-RPC for an unknown method. */
const NO_SUCH_METHOD = -32_601;
const BODY = 200;
/** Maximum depth of nested causes that are searched. */
const DEPTH = 5;

/** Converts any error of the library or the network to an `McpError`. */
export function asMcpError(error: unknown): McpError {
  const chain = causes(error);
  for (const cause of chain) {
    if (cause instanceof McpError) return cause;
    if (cause instanceof UnauthorizedError)
      return new McpError("unauthorized", sentence("mcp-sign-in-needed"));
    if (MCPClientError.isInstance(cause) && cause.statusCode !== undefined)
      return ofStatus(cause.statusCode, cause.message, cause.responseBody);
  }
  if (MCPClientError.isInstance(error) && error.code === NO_SUCH_METHOD)
    return new McpError("malformed", sentence("mcp-unknown-request"));
  const message = error instanceof Error ? error.message : String(error);
  const all = chain.map((cause) => cause.message).join(" ");
  if (/timed out after/.test(all))
    return new McpError("timeout", sentence("mcp-timeout", { time: waited(all) }));
  if (/unexpected redirect/.test(all)) return new McpError("redirect", sentence("mcp-redirect"));
  if (message.startsWith("Connection closed")) return new McpError("ended", sentence("mcp-ended"));
  const network = networkWord(chain);
  if (network !== undefined)
    return new McpError("unreachable", sentence("mcp-not-there", { why: network }), { network });
  if (/closed|fetch failed|terminated/i.test(message))
    return new McpError("ended", sentence("mcp-not-there", { why: clipLine(all, SENTENCE) }));
  if (
    /parse|validation|invalid_type|Unexpected content type|Unexpected token|not valid JSON/i.test(
      all,
    )
  )
    return new McpError("malformed", sentence("mcp-invalid-answer", { why: clipLine(all, BODY) }));
  return new McpError("failed", asSentence(clipLine(visibleText(message), SENTENCE)));
}

/** @param sent the body of the 401 response */
export function refused(sent: string | undefined): McpError {
  const body = firstLine(sent ?? "");

  return new McpError("refused", sentence("mcp-key-refused"), {
    status: 401,
    body: body === "" ? undefined : body,
  });
}

function ofStatus(status: number, message: string, sent: string | undefined): McpError {
  const body = firstLine(sent ?? "");
  const facts = { status, body: body === "" ? undefined : body };
  if (status === 401) return refused(sent);
  if (status >= 200 && status < 300) {
    const type = clipLine(
      visibleText(/Unexpected content type: (.*)$/.exec(message)?.[1] ?? ""),
      100,
    );
    return new McpError(
      "malformed",
      type === "" ? sentence("mcp-no-type") : sentence("mcp-invalid-type", { type }),
      facts,
    );
  }
  return new McpError("http", sentence("mcp-http", { status }), facts);
}

/** The first line of text in a body, without HTML tags. */
const firstLine = (body: string): string =>
  clipLine(
    visibleText(
      body
        .slice(0, 5_000)
        .replaceAll(/<(script|style)\b[^]*?<\/\1>/gi, " ")
        .replaceAll(/<[^<>]*>/g, " ")
        .split(/\n/)
        .find((line) => line.trim() !== "") ?? "",
    ),
    BODY,
  );

function causes(error: unknown): Error[] {
  const found: Error[] = [];
  for (let cause = error; cause instanceof Error && found.length < DEPTH; cause = cause.cause)
    found.push(cause);
  return found;
}

/** The network's error code, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`; `EBADPORT` if `fetch` blocks the port. */
function networkWord(chain: Error[]): string | undefined {
  for (const cause of chain) {
    const { code } = cause as { code?: unknown };
    if (cause.message === "bad port") return "EBADPORT";
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]{3,60}$/.test(code)) return code;
  }
  return undefined;
}

function waited(message: string): string {
  const ms = Number(/timed out after (\d+)ms/.exec(message)?.[1]);
  return ms >= 1_000 ? `${Math.round(ms / 1_000)} s` : `${ms} ms`;
}

import {
  createMCPClient,
  type MCPClient,
  type MCPClientConfig,
  type OAuthClientProvider,
} from "@ai-sdk/mcp";
import { asMcpError } from "./as-mcp-error.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { connectionOf } from "./connection-of.ts";
import { CONNECT_MS } from "./limits.ts";
import { noLessPublic } from "./no-less-public.ts";
import { pipeTransport, type McpPipe } from "./pipe-transport.ts";
import type { McpConnection, McpError } from "./types.ts";
import { watchRefusal, type RefusalWatch } from "./watch-refusal.ts";

/** How a server is reached: through a running program, or at an address. */
export type McpReach =
  | { pipe: McpPipe }
  | {
      type: "http" | "sse";
      url: string;
      headers: Record<string, string>;
      /** Absent if signing in is not possible. */
      signIn?: OAuthClientProvider;
    };

export interface ConnectOptions {
  reach: McpReach;
  version: string;
  /** Receives what the server logs; can be any text. */
  onLog(text: string): void;
  /**
   * The server sent a notification, which may mean that its tools have changed: the library does
   * not say which it was.
   */
  onTold?(): void;
  /** Called when the connection has ended, at most once, and not after `close`. */
  onEnd(error: McpError): void;
  signal?: AbortSignal;
  /** Milliseconds; default 60,000. */
  timeoutMs?: number;
}

/** Connects to a server and completes its handshake. @throws McpError; the connection is closed then */
export async function connectMcp(options: ConnectOptions): Promise<McpConnection> {
  const { reach, onLog, onEnd } = options;
  // Until it is connected, errors are reported by the rejection.
  let isClosed = true;
  /** Why the server's program has ended: the library itself only reports that the connection is closed. */
  let gone: McpError | undefined;
  const end = (error: McpError) => {
    if (isClosed) return;
    isClosed = true;
    onEnd(error);
  };
  const watch =
    !("pipe" in reach) && reach.signIn
      ? watchRefusal(reach.url, boundedFetch(noLessPublic(reach.url)))
      : undefined;
  const named = watch?.named ?? asMcpError;
  let client: MCPClient;
  try {
    client = await createMCPClient({
      transport: transportOf(reach, watch, onLog, (error) => (gone = error)),
      clientName: "treadle",
      version: options.version,
      initializationOptions: {
        timeout: options.timeoutMs ?? CONNECT_MS,
        signal: options.signal,
      },
      onUncaughtError(error) {
        const known = asMcpError(error);
        // The library does not know these notifications, and they are not errors.
        if (/Unsupported message type/.test(known.message)) return options.onTold?.();
        if (known === gone) return end(known);
        // For an address, the rejection already has the message.
        if ("pipe" in reach || !isClosed) onLog(`${known.message}\n`);
        if (ENDS.has(known.code)) end(known);
      },
    });
  } catch (error) {
    if ("pipe" in reach) await reach.pipe.kill();
    throw gone ?? named(error);
  }
  isClosed = false;
  return connectionOf(client, { onClose: () => (isClosed = true), gone: () => gone, named });
}

const ENDS = new Set(["ended", "too-large", "flood", "unreachable"]);

function transportOf(
  reach: McpReach,
  watch: RefusalWatch | undefined,
  onLog: (text: string) => void,
  onFail: (error: McpError) => void,
): MCPClientConfig["transport"] {
  if ("pipe" in reach) return pipeTransport(reach.pipe, { onLog, onFail });
  const { type, url, headers, signIn } = reach;
  return {
    type,
    url,
    headers,
    // Headers are meant for this address and no other, so redirects are errors.
    redirect: "error",
    fetch: watch?.fetch ?? boundedFetch(noLessPublic(url)),
    authProvider: signIn,
  };
}

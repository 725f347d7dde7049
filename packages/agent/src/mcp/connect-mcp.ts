import {
  createMCPClient,
  MCPClientError,
  UnauthorizedError,
  type MCPClient,
  type MCPClientConfig,
  type OAuthClientProvider,
} from "@ai-sdk/mcp";
import { clipLine } from "../text/clip.ts";
import { bounded, contentText, resourceText, resultText } from "./answer-text.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { CALL_MS, CONNECT_MS, LIST_MS, LISTED, PAGES, SCHEMA_LIMIT, TOOLS } from "./limits.ts";
import { pipeTransport, type McpPipe } from "./pipe-transport.ts";
import {
  McpError,
  type McpAnswer,
  type McpConnection,
  type McpDefinition,
  type McpPrompt,
  type McpResource,
} from "./types.ts";

/** How a server is reached: a program that runs already, or an address. */
export type McpReach =
  | { pipe: McpPipe }
  | {
      type: "http" | "sse";
      url: string;
      headers: Record<string, string>;
      /** Absent where nobody can sign in. */
      signIn?: OAuthClientProvider;
    };

export interface ConnectOptions {
  reach: McpReach;
  version: string;
  /** What the server says of itself; may be anything. */
  onLog(text: string): void;
  /** It told of something by itself, which may be that its tools have changed: the library does not say what it was. */
  onTold?(): void;
  /** It is not there any more; called at most once, and not after `close`. */
  onEnd(error: McpError): void;
  signal?: AbortSignal;
  /** Milliseconds; default 60,000. */
  timeoutMs?: number;
}

/** Connects to a server and asks who it is. @throws McpError; nothing of it runs on then. */
export async function connectMcp(options: ConnectOptions): Promise<McpConnection> {
  const { reach, onLog, onEnd } = options;
  // Until it is connected, whoever connects is told by a rejection.
  let over = true;
  const transport = transportOf(reach, onLog);
  const end = (error: McpError) => {
    if (over) return;
    over = true;
    onEnd(error);
  };
  let client: MCPClient;
  try {
    client = await createMCPClient({
      transport,
      clientName: "treadle",
      version: options.version,
      initializationOptions: {
        timeout: options.timeoutMs ?? CONNECT_MS,
        ...(options.signal ? { signal: options.signal } : {}),
      },
      onUncaughtError(error) {
        const known = asMcpError(error);
        // Notifications are none that the library knows, and no errors.
        if (/Unsupported message type/.test(known.message)) return options.onTold?.();
        onLog(`${known.message}\n`);
        if (known.code === "ended" || known.code === "too-large") end(known);
      },
    });
  } catch (error) {
    if ("pipe" in reach) await reach.pipe.kill();
    throw asMcpError(error);
  }
  over = false;
  return connectionOf(client, () => (over = true));
}

function transportOf(reach: McpReach, onLog: (text: string) => void): MCPClientConfig["transport"] {
  if ("pipe" in reach) return pipeTransport(reach.pipe, onLog);
  const { type, url, headers, signIn } = reach;
  return {
    type,
    url,
    headers,
    // What is sent there is meant for that address and no other.
    redirect: "error",
    fetch: boundedFetch(),
    ...(signIn ? { authProvider: signIn } : {}),
  };
}

function connectionOf(client: MCPClient, onClose: () => void): McpConnection {
  const { capabilities, serverInfo } = client.initializeResult;
  const lists = { timeout: LIST_MS, maxTotalTimeout: LIST_MS };

  async function all<T>(
    limit: number,
    page: (cursor: string | undefined) => Promise<{ items: T[]; next: string | undefined }>,
  ): Promise<T[]> {
    const found: T[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < PAGES && found.length < limit; pages++) {
      const { items, next } = await page(cursor);
      found.push(...items);
      if (next === undefined || next === cursor) break;
      cursor = next;
    }
    return found.slice(0, limit);
  }
  const paged = (cursor: string | undefined) => ({
    ...(cursor === undefined ? {} : { params: { cursor } }),
    options: lists,
  });

  return {
    title: clipLine(`${serverInfo.title ?? serverInfo.name} ${serverInfo.version}`, 120),
    tools: () =>
      guarded(async () => {
        if (!capabilities.tools) return [];
        const tools = await all(TOOLS, async (cursor) => {
          const { tools: items, nextCursor } = await client.listTools(paged(cursor));
          return { items, next: nextCursor };
        });
        return tools.flatMap((tool): McpDefinition[] => {
          const inputSchema = tool.inputSchema as McpDefinition["inputSchema"];
          // A schema of that length would be most of what the model reads.
          if (JSON.stringify(inputSchema).length > SCHEMA_LIMIT || tool.name === "") return [];
          return [
            {
              name: tool.name,
              description: tool.description ?? tool.title ?? "",
              inputSchema,
              readOnly: tool.annotations?.readOnlyHint === true,
            },
          ];
        });
      }),
    resources: () =>
      guarded(async () =>
        capabilities.resources
          ? all(LISTED, async (cursor) => {
              const { resources, nextCursor } = await client.listResources(paged(cursor));
              return { items: resources.map(resourceOf), next: nextCursor };
            })
          : [],
      ),
    prompts: () =>
      guarded(async () =>
        capabilities.prompts
          ? all(LISTED, async (cursor) => {
              const { prompts, nextCursor } = await client.listPrompts(paged(cursor));
              return { items: prompts.map(promptOf), next: nextCursor };
            })
          : [],
      ),
    call: (name, input, signal) =>
      guarded(async () => {
        const result: Record<string, unknown> = await client.callTool({
          name,
          arguments: input,
          options: { signal, timeout: CALL_MS, maxTotalTimeout: CALL_MS },
        });
        return { ok: result["isError"] !== true, text: resultText(result) };
      }, signal),
    readResource: (uri, signal) =>
      guarded(async (): Promise<McpAnswer> => {
        const { contents } = await client.readResource({
          uri,
          options: { ...lists, ...(signal ? { signal } : {}) },
        });
        return { ok: true, text: bounded(contents.map(resourceText).join("\n")) };
      }, signal),
    getPrompt: (name, values) =>
      guarded(async (): Promise<McpAnswer> => {
        const { messages } = await client.getPrompt({ name, arguments: values, options: lists });
        return { ok: true, text: contentText(messages.map(({ content }) => content)) };
      }),
    async close() {
      onClose();
      await client.close().catch(() => undefined);
    },
  };
}

const resourceOf = ({
  uri,
  name,
  description,
  mimeType,
}: {
  uri: string;
  name: string;
  description?: string | undefined;
  mimeType?: string | undefined;
}): McpResource => ({
  uri,
  name,
  ...(description === undefined ? {} : { description }),
  ...(mimeType === undefined ? {} : { mimeType }),
});

const promptOf = (prompt: {
  name: string;
  description?: string | undefined;
  arguments?:
    | { name: string; description?: string | undefined; required?: boolean | undefined }[]
    | undefined;
}): McpPrompt => ({
  name: prompt.name,
  ...(prompt.description === undefined ? {} : { description: prompt.description }),
  arguments: (prompt.arguments ?? []).map(({ name, description, required }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    required: required === true,
  })),
});

async function guarded<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (signal?.aborted) throw new McpError("aborted", "It was stopped.");
    throw asMcpError(error);
  }
}

const SENTENCE = 500;

/** Any error of the library or the network, as one of ours. */
function asMcpError(error: unknown): McpError {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; depth++) {
    if (cause instanceof McpError) return cause;
    if (cause instanceof UnauthorizedError)
      return new McpError("unauthorized", "The server wants you to sign in.");
    if (MCPClientError.isInstance(cause) && cause.statusCode === 401)
      return new McpError(
        "unauthorized",
        "The server refused the key that it was sent, or wants one.",
      );
    cause = cause.cause;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (/timed out after/.test(message))
    return new McpError("timeout", `The server did not answer in time: ${clipLine(message, 200)}.`);
  if (/too large/.test(message) || /too large/.test(causeOf(error)))
    return new McpError("too-large", "The server sent more than one message may hold.");
  if (message.startsWith("Connection closed")) return new McpError("ended", "The server ended.");
  if (/closed|ECONN|fetch failed|terminated/i.test(message))
    return new McpError(
      "ended",
      clipLine(`The server is not there: ${message} ${causeOf(error)}`, SENTENCE),
    );
  if (/parse|validation|invalid_type|Unexpected content type/i.test(`${message} ${causeOf(error)}`))
    return new McpError(
      "malformed",
      `The server sent what is no answer: ${clipLine(message, 200)}`,
    );
  return new McpError("failed", clipLine(message, SENTENCE));
}

const causeOf = (error: unknown) =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : "";

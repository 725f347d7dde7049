import {
  connectMcp,
  LOG_LIMIT,
  McpError,
  type McpAnswer,
  type McpConnection,
  type McpDefinition,
  type McpPrompt,
  type McpReach,
  type McpResource,
  type McpServerConfig,
} from "@treadle/agent";
import type { McpState } from "@treadle/protocol";
import { VERSION } from "../version.ts";
import { hideValues } from "./kept-values.ts";

/** One server that is connected to when it is needed, and what is known of it. */
export interface ToolServer {
  readonly state: McpState;
  readonly message: string | undefined;
  readonly title: string | undefined;
  /** As last listed; kept when the server has gone. */
  readonly definitions: readonly McpDefinition[];
  /** What is left out of them, in sentences. */
  readonly left: string | undefined;
  readonly resources: readonly McpResource[];
  readonly prompts: readonly McpPrompt[];
  readonly log: string;
  /** Connects where it is not connected, and lists what it offers. Resolves with whether it answers; never rejects. */
  refresh(): Promise<boolean>;
  /** Lists the tools anew where the server may have changed them since. Rejects with McpError. */
  listChanges(): Promise<void>;
  call(tool: string, input: Record<string, unknown>, signal: AbortSignal): Promise<McpAnswer>;
  readResource(uri: string): Promise<McpAnswer>;
  getPrompt(name: string, values: Record<string, string>): Promise<McpAnswer>;
  close(): Promise<void>;
}

/** @param reach starts it, or says where it is */
export function createToolServer(options: {
  config: McpServerConfig;
  reach(): Promise<McpReach>;
  timeoutMs?: number;
}): ToolServer {
  const { config } = options;
  let state: McpState = "idle";
  let message: string | undefined;
  let title: string | undefined;
  let log = "";
  let definitions: McpDefinition[] = [];
  let left: string | undefined;
  let resources: McpResource[] = [];
  let prompts: McpPrompt[] = [];
  let connection: McpConnection | undefined;
  let told = false;
  let refreshing: Promise<boolean> | undefined;
  let closing = new AbortController();

  const onLog = (text: string) => {
    log = hideValues(config, log + text);
    if (log.length > LOG_LIMIT) log = log.slice(-LOG_LIMIT);
  };
  const fail = (error: unknown) => {
    connection = undefined;
    state = error instanceof McpError && error.code === "unauthorized" ? "sign-in" : "failed";
    message = hideValues(config, error instanceof Error ? error.message : String(error));
    onLog(`${message}\n`);
  };

  async function connect(): Promise<McpConnection> {
    if (connection) return connection;
    state = "connecting";
    message = undefined;
    const { signal } = closing;
    let mine: McpConnection | undefined;
    const made = await connectMcp({
      reach: await options.reach(),
      version: VERSION,
      onLog,
      onTold: () => (told = true),
      onEnd(error) {
        if (mine !== undefined && connection === mine) fail(error);
      },
      signal,
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    });
    if (signal.aborted) {
      await made.close();
      signal.throwIfAborted();
    }
    return (connection = mine = made);
  }

  async function refresh(): Promise<boolean> {
    try {
      const connected = await connect();
      title = connected.title;
      told = false;
      ({ tools: definitions, left } = await connected.tools());
      resources = await connected.resources();
      prompts = await connected.prompts();
      state = "connected";
      return true;
    } catch (error) {
      const stale = connection;
      if (closing.signal.aborted) state = "idle";
      else fail(error);
      await stale?.close();
      return false;
    }
  }

  async function ask(act: (connected: McpConnection) => Promise<McpAnswer>): Promise<McpAnswer> {
    const { ok, text } = await act(await connect());
    return { ok, text: hideValues(config, text) };
  }

  async function listChanges(): Promise<void> {
    if (!told) return;
    // Before it is asked: what it tells while it answers is looked at the next time.
    told = false;
    try {
      ({ tools: definitions, left } = await (await connect()).tools());
    } catch (error) {
      told = true;
      throw error;
    }
  }

  return {
    get state() {
      return state;
    },
    get message() {
      return message;
    },
    get title() {
      return title;
    },
    get definitions() {
      return definitions;
    },
    get left() {
      return left;
    },
    get resources() {
      return resources;
    },
    get prompts() {
      return prompts;
    },
    get log() {
      return log;
    },
    refresh: () => (refreshing ??= refresh().finally(() => (refreshing = undefined))),
    listChanges,
    call: (tool, input, signal) => ask((connected) => connected.call(tool, input, signal)),
    readResource: (uri) => ask((connected) => connected.readResource(uri)),
    getPrompt: (name, values) => ask((connected) => connected.getPrompt(name, values)),
    async close() {
      closing.abort();
      closing = new AbortController();
      const last = connection;
      connection = undefined;
      state = "idle";
      message = undefined;
      await last?.close();
      await refreshing;
    },
  };
}

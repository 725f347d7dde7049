import {
  connectMcp,
  LOG_LIMIT,
  McpError,
  type McpAnswer,
  type McpConnection,
  type McpDefinition,
  type McpPrompt,
  type McpPromptAnswer,
  type McpReach,
  type McpResource,
  type McpServerConfig,
} from "@treadle/agent";
import type { McpProblem, McpState } from "@treadle/protocol";
import { VERSION } from "../common/version.ts";
import { hideValues } from "./kept-values.ts";
import { problemOf } from "./problem-of.ts";
import type { RunsWhere } from "./runs-where.ts";

/** One server that is connected to when it is needed, and what is known of it. */
export interface ToolServer {
  readonly state: McpState;
  /** Why it does not answer. */
  readonly problem: McpProblem | undefined;
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
  /** Connects where it has gone, and lists the tools anew where they may have changed since. Rejects with McpError. */
  listChanges(): Promise<void>;
  /** Whether it told of a change that nobody has looked at yet. */
  readonly told: boolean;
  call(tool: string, input: Record<string, unknown>, signal: AbortSignal): Promise<McpAnswer>;
  readResource(uri: string, signal?: AbortSignal): Promise<McpAnswer>;
  getPrompt(name: string, values: Record<string, string>): Promise<McpPromptAnswer>;
  readonly completes: boolean;
  complete: McpConnection["complete"];
  close(): Promise<void>;
}

/** Characters of what it printed since it was started: enough for what npm says of a failure. */
const PRINTED = 4_000;

/** @param reach starts it, or says where it is */
export function createToolServer(options: {
  config: McpServerConfig;
  where: RunsWhere;
  reach(): Promise<McpReach>;
  timeoutMs?: number;
}): ToolServer {
  const { config } = options;
  let state: McpState = "idle";
  let problem: McpProblem | undefined;
  let title: string | undefined;
  let log = "";
  /** The end of what was printed since it was started. */
  let printed = "";
  let definitions: McpDefinition[] = [];
  let left: string | undefined;
  let resources: McpResource[] = [];
  let prompts: McpPrompt[] = [];
  let connection: McpConnection | undefined;
  let told = false;
  let connecting: Promise<McpConnection> | undefined;
  let listing: Promise<void> | undefined;
  let refreshing: Promise<boolean> | undefined;
  let closing = new AbortController();

  /** Joined before it is looked through: a key may come in two pieces. */
  const grown = (text: string, more: string, limit: number) =>
    hideValues(config, text + more).slice(-limit);
  const onLog = (text: string) => {
    log = grown(log, text, LOG_LIMIT);
    printed = grown(printed, text, PRINTED);
  };
  const fail = (error: unknown) => {
    connection = undefined;
    state = error instanceof McpError && error.code === "unauthorized" ? "sign-in" : "failed";
    const why = problemOf(config, options.where, error, printed);
    // A server may answer with what it was sent.
    const hidden = (text: string) => hideValues(config, text);
    problem = {
      code: why.code,
      message: hidden(why.message),
      tried: hidden(why.tried),
      next: hidden(why.next),
      said: why.said === undefined ? undefined : hidden(why.said),
      host: why.host === undefined ? undefined : hidden(why.host),
    };
    log = grown(log, `${problem.message}\n`, LOG_LIMIT);
  };

  async function begin(): Promise<McpConnection> {
    state = "connecting";
    problem = undefined;
    printed = "";
    const { signal } = closing;
    let mine: McpConnection | undefined;
    try {
      const made = await connectMcp({
        reach: await options.reach(),
        version: VERSION,
        onLog,
        onTold: () => (told = true),
        onEnd(error) {
          if (mine !== undefined && connection === mine) fail(error);
        },
        signal,
        timeoutMs: options.timeoutMs,
      });
      if (signal.aborted) {
        await made.close();
        signal.throwIfAborted();
      }
      // It may be another program than the one whose tools are known (A36).
      told = true;
      // Whoever refreshes says so when its tools are known.
      if (!refreshing) state = "connected";
      return (connection = mine = made);
    } catch (error) {
      // What was closed meanwhile has not failed.
      if (!signal.aborted) fail(error);
      throw error;
    }
  }

  /** One at a time: two would start two programs. */
  function connect(): Promise<McpConnection> {
    if (connection) return Promise.resolve(connection);
    if (connecting) return connecting;
    const mine = begin().finally(() => {
      if (connecting === mine) connecting = undefined;
    });
    return (connecting = mine);
  }

  async function refresh(): Promise<boolean> {
    let connected: McpConnection;
    try {
      connected = await connect();
    } catch {
      return false;
    }
    try {
      title = connected.title;
      told = true;
      await listChanges();
      resources = await orNone(connected.resources());
      prompts = await orNone(connected.prompts());
      state = "connected";
      return true;
    } catch (error) {
      // It ended, or was closed, while it was asked: that is said already.
      if (connection === connected) fail(error);
      await connected.close();
      return false;
    }
  }

  /** What it cannot list it does not offer; its tools it has all the same. */
  async function orNone<T>(list: Promise<T[]>): Promise<T[]> {
    try {
      return await list;
    } catch (error) {
      if (!connection) throw error;
      onLog(`${error instanceof Error ? error.message : String(error)}\n`);
      return [];
    }
  }

  async function ask<T extends McpAnswer>(
    act: (connected: McpConnection) => Promise<T>,
  ): Promise<T> {
    try {
      const answer = await act(await connect());
      return { ...answer, text: hideValues(config, answer.text) };
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      throw new McpError(error.code, hideValues(config, error.message), error.facts);
    }
  }

  async function list(connected: McpConnection): Promise<void> {
    // Before it is asked: what it tells while it answers is looked at the next time.
    told = false;
    try {
      ({ tools: definitions, left } = await connected.tools());
    } catch (error) {
      told = true;
      throw error;
    }
  }

  /** Whoever needs the list while it is asked for waits for that answer. */
  async function listChanges(): Promise<void> {
    const connected = await connect();
    if (told && !listing)
      listing = list(connected).finally(() => {
        listing = undefined;
      });
    await listing;
  }

  return {
    get state() {
      return state;
    },
    get problem() {
      return problem;
    },
    get title() {
      return title;
    },
    get definitions() {
      return definitions;
    },
    get told() {
      return told && connection !== undefined;
    },
    get completes() {
      return connection?.completes === true;
    },
    // What is typed starts nothing.
    complete: async (...given) => (await connection?.complete(...given)) ?? [],
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
    readResource: (uri, signal) => ask((connected) => connected.readResource(uri, signal)),
    getPrompt: (name, values) => ask((connected) => connected.getPrompt(name, values)),
    async close() {
      closing.abort();
      closing = new AbortController();
      const last = connection;
      connection = undefined;
      connecting = undefined;
      state = "idle";
      problem = undefined;
      await last?.close();
      await refreshing;
    },
  };
}

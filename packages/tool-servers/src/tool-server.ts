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
import { asMessage, type Sentence } from "@treadle/protocol/sentences";
import type { McpProblem, McpState } from "@treadle/protocol";
import { VERSION } from "@treadle/common/version";
import { hideInSentence, hideValues } from "./kept-values.ts";
import { problemOf } from "./problem-of.ts";
import type { RunsWhere } from "./runs-where.ts";

/** One server, connected on demand, and what is known of it. */
export interface ToolServer {
  readonly state: McpState;
  /** Why it does not answer. */
  readonly problem: McpProblem | undefined;
  readonly title: string | undefined;
  /** The tools as last listed; kept after a disconnect. */
  readonly definitions: readonly McpDefinition[];
  /** Tools that were left out, as sentences. */
  readonly left: string | undefined;
  readonly resources: readonly McpResource[];
  readonly prompts: readonly McpPrompt[];
  readonly log: string;
  /**
   * Connects if necessary, and lists what it offers. Resolves with whether it answers; never
   * rejects.
   */
  refresh(): Promise<boolean>;
  /**
   * Reconnects if necessary, and lists the tools again if they may have changed. Rejects with
   * McpError.
   */
  listChanges(): Promise<void>;
  /** Whether it announced a change that was not listed yet. */
  readonly isAnnounced: boolean;
  call(tool: string, input: Record<string, unknown>, signal: AbortSignal): Promise<McpAnswer>;
  readResource(uri: string, signal?: AbortSignal): Promise<McpAnswer>;
  getPrompt(name: string, values: Record<string, string>): Promise<McpPromptAnswer>;
  readonly completes: boolean;
  complete: McpConnection["complete"];
  close(): Promise<void>;
}

/** Number of characters stored of its output since the start: enough for npm's error messages. */
const PRINTED = 4_000;

/** One connection with its requests: answers of a closed one have no effect. */
interface Session {
  connection: McpConnection;
  /** Whether it announced a change since its tools were last requested. */
  isAnnounced: boolean;
  listing: Promise<void> | undefined;
}

/** An attempt to connect, which `close` cancels. */
interface Attempt {
  session: Promise<Session>;
  ending: AbortController;
}

/**
 * Creates a tool server; it connects on first use.
 * @param options.reach starts its program, or returns its address
 * @param options.connect opens a connection; replaced in tests
 */
export function createToolServer(options: {
  config: McpServerConfig;
  where: RunsWhere;
  reach(): Promise<McpReach>;
  timeoutMs?: number;
  connect?: typeof connectMcp;
}): ToolServer {
  const { config, connect: connectTo = connectMcp } = options;
  let state: McpState = "idle";
  let problem: McpProblem | undefined;
  let title: string | undefined;
  let log = "";
  /** The end of its output since the start. */
  let printed = "";
  let definitions: McpDefinition[] = [];
  let left: string | undefined;
  let resources: McpResource[] = [];
  let prompts: McpPrompt[] = [];
  let current: Session | undefined;
  let attempt: Attempt | undefined;
  let refreshing: Promise<boolean> | undefined;

  /** Joins output before masking, since a key may arrive in two chunks. */
  const grown = (text: string, more: string, limit: number) =>
    hideValues(config, text + more).slice(-limit);
  const onLog = (text: string) => {
    log = grown(log, text, LOG_LIMIT);
    printed = grown(printed, text, PRINTED);
  };
  const fail = (error: unknown) => {
    current = undefined;
    state = error instanceof McpError && error.code === "unauthorized" ? "sign-in" : "failed";
    const why = problemOf(config, options.where, error, printed);
    // A server's error may repeat the values that it received.
    const hidden = (text: string) => hideValues(config, text);
    const [message, tried, next] = [why.message, why.tried, why.next].map((one) =>
      hideInSentence(config, one),
    ) as [Sentence, Sentence, Sentence];
    problem = {
      code: why.code,
      ...asMessage(message),
      tried: tried.text,
      triedCode: tried.coded,
      next: next.text,
      nextCode: next.coded,
      said: why.said === undefined ? undefined : hidden(why.said),
      host: why.host === undefined ? undefined : hidden(why.host),
    };
    log = grown(log, `${problem.message}\n`, LOG_LIMIT);
  };

  async function begin({ signal }: AbortController): Promise<Session> {
    state = "connecting";
    problem = undefined;
    printed = "";
    let session: Session | undefined;
    // The program may be a different one from that whose tools are known (A36).
    let isAnnounced = true;
    try {
      const connection = await connectTo({
        reach: await options.reach(),
        version: VERSION,
        onLog,
        onTold() {
          isAnnounced = true;
          if (session) session.isAnnounced = true;
        },
        onEnd(error) {
          if (session !== undefined && current === session) fail(error);
        },
        signal,
        timeoutMs: options.timeoutMs,
      });
      if (signal.aborted) {
        await connection.close();
        signal.throwIfAborted();
      }
      session = { connection, isAnnounced, listing: undefined };
      // A refresh sets the state itself once the tools are known.
      if (!refreshing) state = "connected";
      return (current = session);
    } catch (error) {
      // A connection closed meanwhile has not failed.
      if (!signal.aborted) fail(error);
      throw error;
    }
  }

  /** Connects, one attempt at a time: two would start two programs. */
  function connect(): Promise<Session> {
    if (current) return Promise.resolve(current);
    if (attempt) return attempt.session;
    const ending = new AbortController();
    const own: Attempt = { ending, session: begin(ending) };
    attempt = own;
    const ended = () => {
      if (attempt === own) attempt = undefined;
    };
    own.session.then(ended, ended);
    return own.session;
  }

  async function refresh(): Promise<boolean> {
    let session: Session;
    try {
      session = await connect();
    } catch {
      return false;
    }
    try {
      session.isAnnounced = true;
      await listTools(session);
      // This session was closed meanwhile, and is not used any more.
      if (current !== session) return false;
      const found = await orNone(session, session.connection.resources());
      const asked = await orNone(session, session.connection.prompts());
      if (current !== session) return false;
      [title, resources, prompts, state] = [session.connection.title, found, asked, "connected"];
      return true;
    } catch (error) {
      // The session ended or was closed during the request, which is already reported.
      if (current === session) fail(error);
      await session.connection.close();
      return false;
    }
  }

  /** A list that fails counts as empty; its tools are still available. */
  async function orNone<T>(session: Session, list: Promise<T[]>): Promise<T[]> {
    try {
      return await list;
    } catch (error) {
      if (current !== session) throw error;
      onLog(`${error instanceof Error ? error.message : String(error)}\n`);
      return [];
    }
  }

  async function ask<T extends McpAnswer>(
    act: (connected: McpConnection) => Promise<T>,
  ): Promise<T> {
    try {
      const answer = await act((await connect()).connection);
      return { ...answer, text: hideValues(config, answer.text) };
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      throw new McpError(error.code, hideInSentence(config, error.sentence), error.facts);
    }
  }

  async function list(session: Session): Promise<void> {
    // Reset before the request: a change announced during the answer is listed the next time.
    session.isAnnounced = false;
    try {
      const listed = await session.connection.tools();
      if (current === session) ({ tools: definitions, left } = listed);
    } catch (error) {
      session.isAnnounced = true;
      throw error;
    }
  }

  /** Lists the tools of a session; concurrent callers share the request. */
  async function listTools(session: Session): Promise<void> {
    if (session.isAnnounced && !session.listing)
      session.listing = list(session).finally(() => {
        session.listing = undefined;
      });
    await session.listing;
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
    get isAnnounced() {
      return current?.isAnnounced === true;
    },
    get completes() {
      return current?.connection.completes === true;
    },
    // Typing does not start anything.
    complete: async (...given) => (await current?.connection.complete(...given)) ?? [],
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
    refresh() {
      if (refreshing) return refreshing;
      const running = refresh().finally(() => {
        if (refreshing === running) refreshing = undefined;
      });
      return (refreshing = running);
    },
    listChanges: async () => listTools(await connect()),
    call: (tool, input, signal) => ask((connected) => connected.call(tool, input, signal)),
    readResource: (uri, signal) => ask((connected) => connected.readResource(uri, signal)),
    getPrompt: (name, values) => ask((connected) => connected.getPrompt(name, values)),
    async close() {
      const [last, begun, asked] = [current, attempt, refreshing];
      current = undefined;
      attempt = undefined;
      refreshing = undefined;
      state = "idle";
      problem = undefined;
      begun?.ending.abort();
      await last?.connection.close();
      await asked;
    },
  };
}

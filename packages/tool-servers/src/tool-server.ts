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
  readonly isAnnounced: boolean;
  call(tool: string, input: Record<string, unknown>, signal: AbortSignal): Promise<McpAnswer>;
  readResource(uri: string, signal?: AbortSignal): Promise<McpAnswer>;
  getPrompt(name: string, values: Record<string, string>): Promise<McpPromptAnswer>;
  readonly completes: boolean;
  complete: McpConnection["complete"];
  close(): Promise<void>;
}

/** Characters of what it printed since it was started: enough for what npm says of a failure. */
const PRINTED = 4_000;

/** One connection, and what was asked for over it: what a closed one still answers changes nothing. */
interface Session {
  connection: McpConnection;
  /** Whether it told of a change since its tools were asked for last. */
  isAnnounced: boolean;
  listing: Promise<void> | undefined;
}

/** An attempt to connect, which `close` ends. */
interface Attempt {
  session: Promise<Session>;
  ending: AbortController;
}

/**
 * @param reach starts it, or says where it is
 * @param connect makes a connection; only tests give their own
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
  /** The end of what was printed since it was started. */
  let printed = "";
  let definitions: McpDefinition[] = [];
  let left: string | undefined;
  let resources: McpResource[] = [];
  let prompts: McpPrompt[] = [];
  let current: Session | undefined;
  let attempt: Attempt | undefined;
  let refreshing: Promise<boolean> | undefined;

  /** Joined before it is looked through: a key may come in two pieces. */
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
    // A server may answer with what it was sent.
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
    // It may be another program than the one whose tools are known (A36).
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
      // Whoever refreshes says so when its tools are known.
      if (!refreshing) state = "connected";
      return (current = session);
    } catch (error) {
      // What was closed meanwhile has not failed.
      if (!signal.aborted) fail(error);
      throw error;
    }
  }

  /** One at a time: two would start two programs. */
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
      // It was closed meanwhile, and nothing more is asked of it.
      if (current !== session) return false;
      const found = await orNone(session, session.connection.resources());
      const asked = await orNone(session, session.connection.prompts());
      if (current !== session) return false;
      [title, resources, prompts, state] = [session.connection.title, found, asked, "connected"];
      return true;
    } catch (error) {
      // It ended, or was closed, while it was asked: that is said already.
      if (current === session) fail(error);
      await session.connection.close();
      return false;
    }
  }

  /** What it cannot list it does not offer; its tools it has all the same. */
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
    // Before it is asked: what it tells while it answers is looked at the next time.
    session.isAnnounced = false;
    try {
      const listed = await session.connection.tools();
      if (current === session) ({ tools: definitions, left } = listed);
    } catch (error) {
      session.isAnnounced = true;
      throw error;
    }
  }

  /** Whoever needs the list while it is asked for waits for that answer. */
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
    // What is typed starts nothing.
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

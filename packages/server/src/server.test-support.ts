/** A server with fakes: no sandbox, no browser, no model; only the store is real. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOidcSettings, type Accounts } from "@treadle/accounts";
import { openAccounts } from "@treadle/accounts/open";
import { type ClusterSettings, createCluster } from "@treadle/cluster";
import type { Model, RunPorts, RunRequest, RunResult } from "@treadle/agent";
import type { LogEntry, LogEvent } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { openStore, type Store } from "@treadle/store";
import { ApiFailure } from "@treadle/common";
import type { ModelSettings } from "@treadle/model-settings";
import type { Parts } from "./assemble-base.ts";
import { assemble } from "./assemble.ts";
import {
  FakeDriver,
  type FakeWorkspace,
} from "../../workspace/src/testing/fake-workspace.test-support.ts";
import type { Treadle } from "./types.ts";

export type Turn = (
  request: RunRequest,
  ports: RunPorts,
  tools: { emit(event: LogEvent): void; workspace: FakeWorkspace },
) => Promise<Partial<Extract<LogEvent, { type: "run-end" }>> | "waits" | void>;

export interface TestServer {
  treadle: Treadle;
  /** People, if it was started with `team`. */
  accounts: Accounts | undefined;
  store: Store;
  driver: FakeDriver;
  /** What projects take of the disk, in bytes. */
  usage: Map<string, number>;
  directory: string;
  notices: string[];
  /** What the next runs do; the last one is repeated. */
  turns: Turn[];
  /** Requests of the runs so far. */
  requests: RunRequest[];
  models: { known: Set<string>; chosen: string | undefined };
  /** The check of a project with all of these files fails; absent: no check tries anything. */
  failing?: string[];
  /** Listens on a free port. */
  listen(): Promise<{ port: number; url: string }>;
  /** Sends a request as a program with the token does. */
  api(path: string, init?: RequestInit & { json?: unknown }): Promise<Response>;
  /** Creates a project with one message, and waits until its run has ended. */
  project(prompt?: string): Promise<string>;
  workspace(project: string): FakeWorkspace;
  events(project: string): Promise<LogEvent[]>;
  /** Waits for an entry for which `is` returns true. */
  until(project: string, is: (event: LogEvent) => boolean): Promise<LogEntry>;
  close(): Promise<void>;
}

export const ORIGIN = "http://localhost:4173";

export async function startTestServer(
  directory?: string,
  {
    env = {},
    sharedDirectory,
    team = false,
    database,
    now = () => Date.now(),
    cluster: settings,
    ...more
  }: Pick<Parts, "createGateway" | "createBrowser" | "appsPostgres"> & {
    env?: Record<string, string>;
    sharedDirectory?: string;
    /** With other servers on the same database and folder. */
    cluster?: ClusterSettings;
    /** With accounts: `api` asks as the server's owner. */
    team?: boolean;
    /** The address of an empty PostgreSQL database; absent: SQLite. */
    database?: string | undefined;
    /** The clock of accounts. */
    now?: () => number;
  } = {},
): Promise<TestServer> {
  const made = directory ?? mkdtempSync(join(tmpdir(), "treadle-server-"));
  const notices: string[] = [];
  const usage = new Map<string, number>();
  const first = await openStore({ directory: made, database, isShared: settings !== undefined });
  const cluster = settings && createCluster(first, settings, { now: () => Date.now(), onNotice: (text) => notices.push(text) }); // prettier-ignore
  const opened = cluster?.store ?? first;
  const { accounts, store } = team
    ? openAccounts(opened, {
        now,
        oidc: readOidcSettings(env),
        diskOf: async (project) => usage.get(project) ?? 0,
        onNotice: (text) => notices.push(text),
      })
    : { accounts: undefined, store: opened };
  const driver = new FakeDriver();
  const turns: Turn[] = [];
  const requests: RunRequest[] = [];
  const known = {
    known: new Set(["fake:one", "fake:two"]),
    chosen: "fake:one" as string | undefined,
  };

  async function runTurn(request: RunRequest, ports: RunPorts): Promise<RunResult> {
    requests.push(request);
    const emit = (event: LogEvent) => ports.log.append(event);
    const { run } = request;
    if (!request.resume)
      emit({
        type: "run-start",
        run,
        message: request.message.id,
        model: ports.model.id,
        dialect: "native",
      });
    const turn = turns.length > 1 ? turns.shift() : turns[0];
    const more =
      (await turn?.(request, ports, { emit, workspace: ports.workspace as FakeWorkspace })) ?? {};
    if (more === "waits")
      return {
        outcome: "waiting",
        summary: "",
        revision: "",
        steps: 1,
        usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
      };
    const result = {
      outcome: "done" as const,
      summary: "Done.",
      revision: await ports.workspace.revision(),
      steps: 1,
      usage: { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5 },
      ...more,
    };
    emit({ ms: 1, ...result, type: "run-end", run });
    return result;
  }

  const treadle = await assemble(
    { dataDirectory: made, sharedDirectory, env, onNotice: (text) => notices.push(text) },
    {
      ...more,
      cluster,
      accounts,
      store,
      driver,
      models: fakeModels(known),
      runTurn,
      gatherEvidence: async ({ workspace, onEvidence }) => {
        const evidence = untriedEvidence(await workspace.revision());
        const { contents } = workspace as FakeWorkspace;
        if (server.failing?.every((path) => contents.has(toProjectPath(path))))
          evidence.parts.serve = { state: "failed", summary: "It does not answer." };
        onEvidence(evidence);
        return evidence;
      },
      clock: { now, sleep: () => Promise.resolve() },
      closers: [],
    },
  ).catch(async (error: unknown) => {
    await store.close().catch(() => undefined);
    throw error;
  });

  let origin = ORIGIN;
  const server: TestServer = {
    async listen() {
      const listening = await treadle.listen({ host: "127.0.0.1", port: 0 });
      origin = listening.url;
      return listening;
    },
    treadle,
    accounts,
    usage,
    store,
    driver,
    directory: made,
    notices,
    turns,
    requests,
    models: known,
    api: (path, { json, ...init } = {}) =>
      treadle.fetch(
        new Request(`${origin}${path}`, {
          ...init,
          ...(json === undefined
            ? {}
            : { method: init.method ?? "POST", body: JSON.stringify(json) }),
          headers: {
            authorization: `Bearer ${treadle.token}`,
            ...(json === undefined ? {} : { "content-type": "application/json" }),
            ...(init.headers as Record<string, string>),
          },
        }),
      ),
    async project(prompt = "Build a todo app") {
      const response = await server.api("/api/projects", { json: { prompt } });
      const { id } = (await response.json()) as { id: string };
      await server.until(id, ({ type }) => type === "run-end");
      return id;
    },
    workspace(project) {
      const workspace = driver.opened.get(project);
      if (!workspace) throw new Error("That project's workspace was not opened.");
      return workspace;
    },
    async events(project) {
      await store.log.settled();
      return (await store.log.read(project, 0)).map(({ event }) => event);
    },
    until: (project, is) =>
      new Promise((resolve) => {
        const stop = store.log.follow(project, 0, (entries) => {
          const found = entries.find(({ event }) => is(event));
          if (!found) return;
          stop();
          resolve(found);
        });
      }),
    async close() {
      await treadle.close();
      if (directory === undefined) rmSync(made, { recursive: true, force: true });
    },
  };
  return server;
}

function fakeModels(known: TestServer["models"]): ModelSettings {
  const model = (id: string): Model => ({
    id,
    // The fake turns never use it.
    languageModel: {} as Model["languageModel"],
    dialect: "native",
    takesTemperature: true,
  });
  const settings: ModelSettings = {
    chosen: async () => known.chosen,
    async resolve(id) {
      if (id.startsWith("demo:") || known.known.has(id)) return model(id);
      throw new ApiFailure(400, "model-unknown", { text: `There is no model ${id}.` });
    },
    demoPrompt: (demo) => `Play ${demo}`,
    info: async () => ({
      providers: [],
      demos: [],
      chosen: known.chosen,
    }),
    forget: async () => {},
    setSees: async () => {},
    setThinking: async () => {},
    setCache: async () => {},
    async choose(id) {
      await settings.resolve(id);
      known.chosen = id;
    },
    setKey: async () => {},
    removeKey: async () => {},
    test: async () => {},
  };
  return settings;
}

import { LSPClient, type LSPClientConfig } from "@codemirror/lsp-client";
import { createLifecycle } from "@treadle/protocol/lifecycle";
import { setHelp } from "./help-state.ts";
import { OpenDocuments } from "./open-documents.ts";
import { safeHtml } from "./safe-html.ts";
import { openServerLine, type ServerLine } from "./server-line.ts";
import {
  NEW_SERVER,
  transition,
  type ServerEffect,
  type ServerState,
} from "./server-transitions.ts";

/** Time limit for an answer; a large project is loaded at the first request. */
const ANSWER_MS = 15_000;
/** A language server of one project, running while an editor uses it. */
export class LanguageServer {
  readonly client: LSPClient;
  /** The URI of the project; empty before the server is ready. */
  root = "";
  readonly #config: LSPClientConfig;
  readonly #project: string;
  readonly #name: string;
  readonly #lifecycle = createLifecycle(
    NEW_SERVER,
    transition,
    (effect) => this.#perform(effect),
    () => this.#show(),
  );
  #shown: ServerState | undefined;
  #line: ServerLine | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #handlers = new Set<(message: string) => void>();
  #waiting: ((root: string) => void)[] = [];
  /** Called when the connection ends, for each question that has no answer yet. */
  #unanswered = new Set<() => void>();
  #refreshed = new Set<() => void>();

  constructor(project: string, name: string) {
    this.#project = project;
    this.#name = name;
    this.#config = {
      timeout: ANSWER_MS,
      sanitizeHTML: safeHtml,
      workspace: (client) => new OpenDocuments(client),
      notificationHandlers: {
        "workspace/diagnostic/refresh": () => {
          this.#refresh();
          return true;
        },
      },
      extensions: [
        {
          clientCapabilities: {
            textDocument: {
              completion: {
                completionItem: {
                  resolveSupport: {
                    properties: ["additionalTextEdits", "documentation", "detail"],
                  },
                  labelDetailsSupport: true,
                },
              },
              documentSymbol: { hierarchicalDocumentSymbolSupport: true },
              diagnostic: { relatedDocumentSupport: false },
            },
            workspace: {
              symbol: {},
              configuration: true,
              didChangeWatchedFiles: { dynamicRegistration: true },
              diagnostics: { refreshSupport: true },
              workspaceEdit: { documentChanges: true },
            },
          },
        },
      ],
    };
    this.client = new LSPClient(this.#config);
  }

  /** Keeps the server running until the returned function is called; it stops with its last user. */
  use(): () => void {
    this.#lifecycle.send({ type: "use" });
    let isClosed = false;
    return () => {
      if (!isClosed) this.#lifecycle.send({ type: "leave" });
      isClosed = true;
    };
  }

  /** Resolves with the project's URI once the server answers: now, if it is running. */
  ready(): Promise<string> {
    return this.#lifecycle.state.kind === "ready"
      ? Promise.resolve(this.root)
      : new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Waits, without limit, until the server is ready, then sends the request; sends it again if the connection ends before
   * the answer.
   * @throws the server's error, or if one request is not answered within 15 s
   */
  async ask<Params, Result>(method: string, params: Params): Promise<Result> {
    for (;;) {
      await this.ready();
      const { promise: ended, resolve } = Promise.withResolvers<undefined>();
      const onEnd = () => resolve(undefined);
      this.#unanswered.add(onEnd);
      try {
        const result = this.client
          .request<Params, Result>(method, params)
          .then((value) => ({ value }));
        const answer = await Promise.race([result, ended]);
        if (answer) return answer.value;
        result.catch(() => {});
      } finally {
        this.#unanswered.delete(onEnd);
      }
    }
  }

  /** Starts the server if it is off or asleep; after a failure it stays stopped. */
  wake(): void {
    this.#lifecycle.send({ type: "wake" });
  }

  /** Starts the server again after a failure, at the person's request. */
  retry(): void {
    this.#lifecycle.send({ type: "retry" });
  }

  /** Calls the listener when its problems may be outdated. @returns a function that removes the listener */
  onRefresh(listener: () => void): () => void {
    this.#refreshed.add(listener);
    return () => this.#refreshed.delete(listener);
  }

  #refresh(): void {
    for (const listener of this.#refreshed) listener();
  }

  #perform(effect: ServerEffect): void {
    switch (effect.type) {
      case "open":
        return this.#open(effect.line);
      case "initialize":
        return this.#initialize(effect.line, effect.root);
      case "close":
        this.#line?.close();
        this.#line = undefined;
        if (this.client.connected) this.client.disconnect();
        for (const onEnd of this.#unanswered) onEnd();
        return;
      case "wait":
        this.#timer = setTimeout(() => this.#lifecycle.send({ type: "waited" }), effect.ms);
        return;
      case "stop-waiting":
        clearTimeout(this.#timer);
    }
  }

  #open(line: number): void {
    this.#line = openServerLine(this.#project, this.#name, {
      onReady: (root) => this.#lifecycle.send({ type: "connected", line, root }),
      onMessage: (text) => {
        for (const handler of this.#handlers) handler(text);
      },
      onEnd: (end, problem) =>
        this.#lifecycle.send({ type: "ended", line, end, problem, at: Date.now() }),
    });
  }

  #initialize(line: number, root: string): void {
    this.root = root;
    this.#config.rootUri = root;
    this.client.connect({
      send: (message) => this.#line?.send(message),
      subscribe: (handler) => void this.#handlers.add(handler),
      unsubscribe: (handler) => void this.#handlers.delete(handler),
    });
    this.client.initializing.then(
      () => this.#lifecycle.send({ type: "initialized", line, at: Date.now() }),
      () => this.#lifecycle.send({ type: "not-initialized", line, at: Date.now() }),
    );
  }

  /** Publishes the state, and resolves `ready()` for all callers once the server is ready. */
  #show(): void {
    const { state } = this.#lifecycle;
    if (state === this.#shown) return;
    const wasReady = this.#shown?.kind === "ready";
    this.#shown = state;
    if (state.kind !== "off")
      setHelp(this.#name, {
        state: state.kind === "waiting" ? "starting" : state.kind,
        problem: state.kind === "failed" ? state.problem : undefined,
        retry: () => this.retry(),
      });
    if (state.kind !== "ready" || wasReady) return;
    for (const resolve of this.#waiting.splice(0)) resolve(this.root);
    this.#refresh();
  }
}

const servers = new Map<string, LanguageServer>();

/** The project's language server of that name. */
export function languageServer(project: string, name: string): LanguageServer {
  const key = `${project}/${name}`;
  let server = servers.get(key);
  if (!server) servers.set(key, (server = new LanguageServer(project, name)));
  return server;
}

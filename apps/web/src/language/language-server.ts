import { LSPClient, type LSPClientConfig, type Transport } from "@codemirror/lsp-client";
import { setHelp, useHelp } from "./help-state.ts";
import { OpenDocuments } from "./open-documents.ts";
import { safeHtml } from "./safe-html.ts";
import { openServerLine, type LineEnd, type ServerLine } from "./server-line.ts";

/** Time limit for an answer; a large project is loaded at the first request. */
const ANSWER_MS = 15_000;
/** Delays before restarting a server that exited; after the last one, it restarts only at the person's request. */
const RESTART_MS = [500, 4_000, 20_000];
/** A server that ran this long did not exit because of a failed start, so the delays begin again. */
const STEADY_MS = 5 * 60_000;

/** A language server of one project, running while an editor uses it. */
export class LanguageServer {
  readonly client: LSPClient;
  /** The URI of the project; empty before the server is ready. */
  root = "";
  readonly #config: LSPClientConfig;
  readonly #project: string;
  readonly #name: string;
  #line: ServerLine | undefined;
  #handlers = new Set<(message: string) => void>();
  #failures = 0;
  #readyAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting: ((root: string) => void)[] = [];
  #refreshed = new Set<() => void>();
  #editors = 0;

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
    this.#editors++;
    this.wake();
    let isClosed = false;
    return () => {
      if (isClosed) return;
      isClosed = true;
      if (--this.#editors === 0) this.#stop();
    };
  }

  /** Resolves with the project's URI once the server answers. */
  ready(): Promise<string> {
    return this.root === "" ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(this.root); // prettier-ignore
  }

  /** Starts a sleeping server; a failed one stays stopped. */
  wake(): void {
    const known = useHelp.getState().servers.get(this.#name)?.state;
    if (this.#line || this.#timer !== undefined || known === "failed") return;
    this.#open();
  }

  /** Starts a failed server again, at the person's request. */
  retry(): void {
    this.#failures = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#line) this.#open();
  }

  /** Calls the listener when its problems may be outdated. @returns a function that removes the listener */
  onRefresh(listener: () => void): () => void {
    this.#refreshed.add(listener);
    return () => this.#refreshed.delete(listener);
  }

  #refresh(): void {
    for (const listener of this.#refreshed) listener();
  }

  #set(state: Parameters<typeof setHelp>[1]["state"], problem?: string): void {
    setHelp(this.#name, { state, problem, retry: () => this.retry() });
  }

  #open(): void {
    this.#set("starting");
    const line = openServerLine(this.#project, this.#name, {
      onReady: (root) => {
        this.root = root;
        this.#readyAt = Date.now();
        this.#config.rootUri = root;
        this.client.connect(this.#transport(line));
        void this.client.initializing.then(
          () => {
            this.#set("ready");
            for (const resolve of this.#waiting.splice(0)) resolve(root);
            this.#refresh();
          },
          () => line.close(),
        );
      },
      onMessage: (text) => {
        for (const handler of this.#handlers) handler(text);
      },
      onEnd: (end, problem) => this.#ended(end, problem),
    });
    this.#line = line;
  }

  #transport(line: ServerLine): Transport {
    return {
      send: (message) => line.send(message),
      subscribe: (handler) => void this.#handlers.add(handler),
      unsubscribe: (handler) => void this.#handlers.delete(handler),
    };
  }

  #ended(end: LineEnd, problem: string | undefined): void {
    this.#line = undefined;
    if (this.client.connected) this.client.disconnect();
    if (end === "asleep") return this.#set("asleep");
    if (end === "again") return this.#later(1_500);
    if (Date.now() - this.#readyAt > STEADY_MS) this.#failures = 0;
    const wait = end === "refused" ? undefined : RESTART_MS[this.#failures++];
    if (wait === undefined) return this.#set("failed", problem);
    this.#later(wait);
  }

  #later(ms: number): void {
    this.#set("starting");
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#editors > 0) this.#open();
    }, ms);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#line?.close();
    this.#line = undefined;
    if (this.client.connected) this.client.disconnect();
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

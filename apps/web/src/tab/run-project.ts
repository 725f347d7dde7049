import type { FromTab, TabAnswer, TabAsk, ToTab } from "@treadle/protocol";
import type { WebContainer, WebContainerProcess } from "@webcontainer/api";
import { askInside } from "./ask-inside.ts";
import { ContainerFiles } from "./container-files.ts";
import { ContainerTerminals } from "./container-terminals.ts";
import { lookHere } from "./look-here.ts";
import { reportBuild } from "./report-build.ts";

/**
 * `starting` until the container runs, `lost` while the server does not answer, `elsewhere` once another tab has taken
 * over.
 */
export type TabState = "starting" | "running" | "lost" | "elsewhere" | "broken";

export interface TabView {
  onState(state: TabState, why?: string): void;
  /** The running command; undefined if there is none. */
  onCommand(command: string | undefined): void;
  onOutput(text: string): void;
  onPreview(url: string | undefined): void;
  /** The frame in which pages are opened. */
  frame(): HTMLIFrameElement | null;
}

/** Maximum characters of a command's output included in its report. */
const TAIL_CHARS = 2_000;
const AGAIN_MS = 1_000;
/** Another tab of the project has replaced this one. */
const CLOSE_REPLACED = 4001;

/**
 * Runs a project in this page until the returned function is called; carries out the server's requests in a container.
 */
export function runProject(project: string, view: TabView): () => void {
  let isStopped = false;
  let socket: WebSocket | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let run: ContainerRun | undefined;

  function open(): void {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const line = new WebSocket(`${scheme}//${location.host}/api/projects/${project}/tab`);
    socket = line;
    line.addEventListener("message", ({ data }: MessageEvent<string>) => {
      const message = JSON.parse(data) as ToTab;
      if (message.type === "hello") {
        run = new ContainerRun(project, view, message, (reply) => {
          if (line.readyState === WebSocket.OPEN) line.send(JSON.stringify(reply));
        });
      } else run?.handleMessage(message);
    });
    line.addEventListener("close", ({ code }) => {
      run?.end();
      run = undefined;
      if (isStopped) return;
      if (code === CLOSE_REPLACED) return view.onState("elsewhere");
      view.onState("lost");
      again = setTimeout(open, AGAIN_MS);
    });
  }

  view.onState("starting");
  open();
  return () => {
    isStopped = true;
    clearTimeout(again);
    socket?.close();
    run?.end();
  };
}

interface Started {
  container: WebContainer;
  files: ContainerFiles;
  terminals: ContainerTerminals;
}

/** One container, from its start to the end of the socket that requested it. */
class ContainerRun {
  readonly #project: string;
  readonly #view: TabView;
  readonly #send: (message: FromTab) => void;
  readonly #started: Promise<Started | undefined>;
  readonly #running = new Map<number, WebContainerProcess>();
  readonly #ports = new Map<number, string>();
  readonly #unwanted = new Set<number>();
  /** Updates sent before a request are applied before it. */
  #order: Promise<unknown>;
  #ended = false;

  constructor(
    project: string,
    view: TabView,
    hello: Extract<ToTab, { type: "hello" }>,
    send: (message: FromTab) => void,
  ) {
    this.#project = project;
    this.#view = view;
    this.#send = send;
    view.onState("starting");
    this.#started = this.#start(hello);
    this.#order = this.#started;
  }

  async #start({ probe, leftOut }: Extract<ToTab, { type: "hello" }>) {
    try {
      const { WebContainer } = await import("./webcontainer.ts");
      const container = await WebContainer.boot({ coep: "credentialless", workdirName: "project" });
      if (this.#ended) return void container.teardown();
      await container.setPreviewScript(probe);
      container.on("port", (port, type, url) => this.#onPort(port, type === "open", url));
      container.on("error", ({ message }) => this.#broke(message));
      this.#view.onState("running");
      this.#send({ type: "ready" });
      return {
        container,
        files: new ContainerFiles(container, leftOut),
        terminals: new ContainerTerminals(container),
      };
    } catch (error) {
      this.#broke(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  handleMessage(message: Exclude<ToTab, { type: "hello" }>): void {
    if (message.type === "cancel") {
      this.#unwanted.add(message.id);
      this.#running.get(message.id)?.kill();
      void this.#started.then((started) => started?.terminals.kill(message.id));
      return;
    }
    this.#order = this.#order.then(async () => {
      const started = await this.#started;
      if (!started || this.#ended) return;
      if (message.type === "files") return started.files.apply(message);
      if (message.type === "input") return started.terminals.write(message.id, message.data);
      if (message.type === "resize") return started.terminals.resize(message.id, message);
      // Requests run concurrently and do not delay later file updates.
      void this.#answer(message, started);
    });
    this.#order = this.#order.catch((error: unknown) => this.#broke(String(error)));
  }

  /** Runs `act` after all updates so far: reading files during one would report the update itself as a change. */
  #inOrder<Result>(act: () => Promise<Result>): Promise<Result> {
    const done = this.#order.then(act);
    this.#order = done.catch(() => undefined);
    return done;
  }

  end(): void {
    this.#ended = true;
    this.#view.onPreview(undefined);
    this.#view.onCommand(undefined);
    void this.#started.then((started) => started?.container.teardown());
  }

  #broke(message: string): void {
    if (this.#ended) return;
    this.#view.onState("broken", message);
    this.#send({ type: "broken", message });
  }

  #onPort(port: number, isOpen: boolean, url: string): void {
    if (isOpen) this.#ports.set(port, url);
    else this.#ports.delete(port);
    const ports = [...this.#ports].map(([number, address]) => ({ port: number, url: address }));
    this.#view.onPreview(ports[0]?.url);
    this.#send({ type: "ports", ports });
  }

  async #answer(
    { id, ask, revision }: Extract<ToTab, { type: "ask" }>,
    started: Started,
  ): Promise<void> {
    try {
      this.#send({ type: "answer", id, answer: await this.#do(id, ask, revision, started) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#send({ type: "refused", id, message });
    }
  }

  async #do(
    id: number,
    ask: TabAsk,
    revision: string,
    { container, files, terminals }: Started,
  ): Promise<TabAnswer> {
    switch (ask.kind) {
      case "read":
        return { kind: "read", base64: await files.read(ask.path) };
      case "request":
        return askInside(container, ask);
      case "look": {
        const [url, frame] = [this.#ports.get(ask.port), this.#view.frame()];
        if (url === undefined || !frame) return { kind: "look" };
        const report = await lookHere(frame, new URL(ask.path, url).href);
        const status = report === undefined ? "running" : isSound(report) ? "success" : "failed";
        reportBuild(this.#project, {
          status,
          stage: "page",
          revision,
          previewUrl: url,
          visual: report,
        });
        return { kind: "look", report };
      }
      case "terminal": {
        const reportChanges = async () => {
          const changes = await this.#inOrder(() => files.changes());
          if (changes.files.length + changes.removed.length > 0)
            this.#send({ type: "changed", ...changes });
        };
        const code = await terminals.run(id, ask, {
          onOutput: (text) => this.#send({ type: "output", id, text }),
          onQuiet: () => void reportChanges().catch((error: unknown) => this.#broke(String(error))),
        });
        await reportChanges();
        return { kind: "terminal", code };
      }
      case "run":
        return this.#run(id, ask, revision, container, files);
    }
  }

  async #run(
    id: number,
    { command, env, takeBack, stage }: Extract<TabAsk, { kind: "run" }>,
    revision: string,
    container: WebContainer,
    files: ContainerFiles,
  ): Promise<TabAnswer> {
    const since = performance.now();
    const written = files.countWrites();
    this.#view.onCommand(command);
    this.#view.onOutput(`$ ${command}\n`);
    const process = await container.spawn("jsh", ["-c", command], { env });
    this.#running.set(id, process);
    if (this.#unwanted.delete(id)) process.kill();
    let tail = "";
    const printed = process.output.pipeTo(
      new WritableStream({
        write: (text) => {
          tail = (tail + text).slice(-TAIL_CHARS);
          this.#view.onOutput(text);
          this.#send({ type: "output", id, text });
        },
      }),
    );
    const code = await process.exit;
    await printed.catch(() => undefined);
    this.#running.delete(id);
    this.#view.onCommand(undefined);
    const changed = takeBack
      ? await this.#inOrder(() => files.changes())
      : { number: 0, files: [], removed: [] };
    // A server that exits has crashed, whatever its exit code.
    reportBuild(this.#project, {
      status: code === 0 && stage !== "dev" ? "success" : "failed",
      stage,
      revision,
      exitCode: code,
      wallTimeMs: Math.round(performance.now() - since),
      stderr: code === 0 ? "" : tail,
    });
    return { kind: "run", code, written: written(), ...changed };
  }
}

/** Whether a page's report is good: it shows something and has thrown nothing. */
function isSound(report: unknown): boolean {
  const { rendered, uncaughtErrors } = report as { rendered?: unknown; uncaughtErrors?: unknown };
  return rendered === true && !(Array.isArray(uncaughtErrors) && uncaughtErrors.length > 0);
}

import { writeFileSync } from "node:fs";
import { createServer, connect, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { inject } from "vitest";
import { scriptedBy, startTreadle, type RunningTreadle } from "./treadle.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder for the data of servers that files share. `shared-data.ts` makes it, and removes it after the last test. */
    sharedData: string;
  }
}

/** An address that stays while the models behind it come and go. */
interface ModelFront {
  url: string;
  /** @param url of the model that answers from now on */
  leadTo(url: string): void;
}

/** The provider of `scriptedBy`. */
const PROVIDER = "openai-compatible";

let front: Promise<ModelFront> | undefined;
/** Servers of this worker: one with a scripted model, one without any. */
const servers = new Map<"scripted" | "none", RunningTreadle>();

/**
 * Returns the server that the files of this worker share: with the scripted model at `model`, or without any model. Starting
 * one takes seconds of both processors; a project of its own keeps a test apart as well. Ends with the worker.
 */
export async function shareServer(model?: { url: string }): Promise<RunningTreadle> {
  const kind = model ? "scripted" : "none";
  if (model) (await (front ??= openFront())).leadTo(model.url);
  const running = servers.get(kind);
  if (running && isRunning(running.pid)) {
    if (model) await forgetModels(running);
    return running;
  }
  const data = join(inject("sharedData"), `${process.pid}-${kind}-${servers.size}`);
  const env = model ? scriptedBy({ url: (await front!).url }) : {};
  const started = { ...(await startTreadle({ data, env })), kill: refuse, stop: refuse };
  servers.set(kind, started);
  writeFileSync(`${data}.pid`, String(started.pid));
  // A worker that is ended by a signal would leave it running.
  process.on("exit", () => isRunning(started.pid) && process.kill(started.pid, "SIGTERM"));
  return started;
}

/**
 * Makes the server look for models anew, and chooses the usual one: it looks every few seconds, and a page that is opened
 * sooner has the list of the file before.
 */
async function forgetModels({ api }: RunningTreadle): Promise<void> {
  // After removing a key, even if none was stored, it looks again immediately.
  await api(`/api/models/keys/${PROVIDER}`, { method: "DELETE" });
  const choice = JSON.stringify({ model: `${PROVIDER}:scripted` });
  await api("/api/models/choice", { method: "PUT", body: choice });
}

/** Removes what a file has made in a shared server, so that the next one begins with an empty list of projects. */
export async function clearServer({ api }: RunningTreadle): Promise<void> {
  const { projects } = (await (await api("/api/projects")).json()) as {
    projects: { id: string }[];
  };
  await Promise.all(projects.map(({ id }) => api(`/api/projects/${id}`, { method: "DELETE" })));
}

function refuse(): never {
  throw new Error(
    "Other files use this server as well: a test that ends it opens its stage with `own`.",
  );
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Passes bytes on as they are: where a model cuts its answer short, the server sees that at the same place. */
async function openFront(): Promise<ModelFront> {
  let port = 0;
  const open = new Set<Socket>();
  const server = createServer((asked) => {
    open.add(asked);
    asked.on("close", () => open.delete(asked));
    const answering = connect(port, "127.0.0.1");
    passOn(asked, answering);
    passOn(answering, asked);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo(url) {
      port = Number(new URL(url).port);
      // A connection that was kept open leads to the model before.
      for (const socket of open) socket.destroy();
    },
  };
}

function passOn(from: Socket, to: Socket): void {
  from.pipe(to);
  from.on("error", () => to.resetAndDestroy());
  from.on("close", () => to.destroySoon());
}

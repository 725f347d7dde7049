import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { Clock, Looker, ReadTemplate } from "@treadle/agent";
import type { Health, PageReport } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import type { WorkspaceDriver } from "@treadle/workspace";
import { createApp } from "./api/app.ts";
import type { ModelSettings } from "./api/services.ts";
import { pagePolicy } from "./edge/headers.ts";
import { loadToken } from "./edge/token.ts";
import { listenOnLoopback, type Listener } from "./listen.ts";
import { staticPage } from "./page/static-page.ts";
import { createProjectService } from "./project-service.ts";
import { openRuntimes } from "./runtime/runtimes.ts";
import type { RuntimeParts } from "./runtime/types.ts";
import type { Treadle, TreadleOptions } from "./types.ts";
import { createUpgrade } from "./upgrade.ts";
import { VERSION } from "./version.ts";

/** A project's preview as the gateway needs it. */
export interface PreviewTarget {
  project: string;
  connect(port: number): Promise<Duplex>;
  ports(): number[];
  onReport(report: PageReport): void;
}

export interface Gateway {
  /** Whether a Host header names a preview. */
  handles(host: string): boolean;
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** What the server is put together from. Tests put fakes in the place of what needs a sandbox, a browser or a model. */
export interface Parts {
  store: Store;
  driver: WorkspaceDriver;
  models: ModelSettings;
  runTurn: RuntimeParts["runTurn"];
  gatherEvidence: RuntimeParts["gatherEvidence"];
  clock: Clock;
  createGateway?(options: {
    resolve(capability: string): PreviewTarget | undefined;
    appOrigin(): string;
  }): Gateway;
  /** A browser that opens previews, at most one at a time started. */
  looker?: {
    of(preview: { origin: string; capability: string }): Looker;
    health(): Promise<Health["browser"]>;
  };
  readTemplate?: ReadTemplate;
  /** Closed in this order after the workspaces, and before the store. */
  closers: (() => Promise<void>)[];
}

/** Puts the server together. Nothing listens until it is told to. */
export async function assemble(options: TreadleOptions, parts: Parts): Promise<Treadle> {
  const { store, driver, models, clock } = parts;
  const onNotice = options.onNotice ?? (() => {});
  const token = loadToken(options.dataDirectory);
  let listener: Listener | undefined;
  const edge = () => ({ token, port: listener?.port });
  const portOf = () => listener?.port ?? 0;
  const previewOrigin = (capability: string) => `http://${capability}.localhost:${portOf()}`;

  const runtimes = await openRuntimes({
    store,
    driver,
    models,
    runTurn: parts.runTurn,
    gatherEvidence: parts.gatherEvidence,
    lookerOf: ({ capability }) =>
      listener && parts.looker?.of({ origin: previewOrigin(capability), capability }),
    ...(parts.readTemplate ? { readTemplate: parts.readTemplate } : {}),
    clock,
    dataDirectory: options.dataDirectory,
    onNotice,
  });
  const now = () => clock.now();
  const projects = createProjectService({ store, runtimes, models, now });

  const health = async (): Promise<Health> => {
    const [sandbox, browser] = await Promise.all([
      driver.probe(),
      parts.looker?.health() ?? { ok: false, message: "No browser is set up." },
    ]);
    const missing = sandbox.checks.find(({ ok }) => !ok);
    const unsafe = options.unsafeNoSandbox === true;
    return {
      ok: sandbox.ok || unsafe,
      version: VERSION,
      sandbox: {
        driver: driver.name,
        ok: sandbox.ok,
        unsafe,
        ...(missing && !sandbox.ok ? { message: `${missing.name}: ${missing.detail}` } : {}),
      },
      browser,
    };
  };

  const app = createApp({
    services: { store, projects, runtimes, models, health, previewOrigin, now },
    edge,
    page: options.webDirectory
      ? staticPage(options.webDirectory, () => pagePolicy(listener?.port))
      : undefined,
    onNotice,
  });
  const fetch = async (request: Request) => app.fetch(request);
  const gateway = parts.createGateway?.({
    appOrigin: () => `http://localhost:${portOf()}`,
    resolve(capability) {
      const found = runtimes.byCapability(capability);
      if (!found) return undefined;
      if (!("holder" in found))
        return {
          project: found.project,
          ports: () => [],
          connect: async (port) =>
            (await (await runtimes.of(found.project)).workspace()).connect(port),
          onReport: () => {},
        };
      return {
        project: found.id,
        ports: () => found.holder.ports(),
        connect: async (port) => (await found.workspace()).connect(port),
        onReport: (report) => found.onReport(report),
      };
    },
  });
  const upgrades = createUpgrade({ runtimes, edge });
  const answer = getRequestListener((request) => app.fetch(request), {
    // A Host header that is no host at all reaches nobody.
    errorHandler: () => new Response("Bad request", { status: 400 }),
  });
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    await runtimes.close();
    upgrades.close();
    await listener?.close();
    await driver.close();
    for (const closer of parts.closers) await closer();
    await store.close();
  }

  return {
    fetch,
    token,
    projects,
    async listen(where) {
      listener = await listenOnLoopback(where, {
        request(request, response) {
          if (gateway?.handles(request.headers.host ?? "")) gateway.request(request, response);
          else void answer(request, response);
        },
        upgrade(request, socket, head) {
          if (gateway?.handles(request.headers.host ?? "")) gateway.upgrade(request, socket, head);
          else upgrades.upgrade(request, socket, head).catch(() => socket.destroy());
        },
      });
      return { port: listener.port, url: listener.url };
    },
    close: () => (closing ??= close()),
  };
}

/** Where prepared dependencies and the browser are kept. */
export function cacheDirectory({ dataDirectory, sharedDirectory, env }: TreadleOptions): string {
  return env.TREADLE_CACHE || join(sharedDirectory ?? dataDirectory, "cache");
}

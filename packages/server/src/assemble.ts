import { exportDataDirectory } from "@treadle/app-database";
import { createOwnerLink } from "./access/identify.ts";
import { announceAddress } from "./address-file.ts";
import { createBase, type Parts } from "./assemble-base.ts";
import { createPreviews } from "./assemble-previews.ts";
import { openProjects } from "./assemble-projects.ts";
import { openPublishing } from "./assemble-publishing.ts";
import { createRoutes } from "./assemble-routes.ts";
import { createLastResort } from "./common/concerned-project.ts";
import { findProject } from "./find-project.ts";
import { listen, type Listener } from "./listen.ts";
import { observeRequests } from "./observe.ts";
import { leaveListed } from "./projects/listed-folders.ts";
import { routeConnections } from "./route-connections.ts";
import type { Treadle, TreadleOptions } from "./types.ts";

/**
 * Maximum interval between searches for unused sandboxes, in milliseconds. It is a quarter of the permitted idle
 * time if that is shorter.
 */
const SWEEP_MS = 60_000;

/** Assembles the server in layers; each layer uses only the ones before it. Nothing listens until `listen` is called. */
export async function assemble(options: TreadleOptions, parts: Parts): Promise<Treadle> {
  const base = createBase(options, parts);
  const previews = createPreviews(base, parts);
  const opened = await openProjects(base, previews, options, parts);
  const publishing = await openPublishing(base, previews, opened);
  const routes = await createRoutes(base, previews, opened, publishing, {
    ...options,
    onRequest: observeRequests(options.onRequest, parts.telemetry),
  });

  const { store, driver, onNotice, dataDirectory } = base;
  const { idleMs, listFolders } = base.settings;
  const { runtimes, projects, mcp } = opened;
  const { publications, elsewhere } = publishing;
  const { app, comparisons, parallel, comparisonWork, settings, toolServer, upgrades } = routes;
  let listener: Listener | undefined;
  let closing: Promise<void> | undefined;
  let unannounce: (() => void) | undefined;

  const sweeping = setInterval(
    () => {
      runtimes.sweep().catch((error: Error) => onNotice(error.message));
      publications.sweep(idleMs).catch((error: Error) => onNotice(error.message));
    },
    Math.min(SWEEP_MS, idleMs / 4),
  ).unref();

  async function close(): Promise<void> {
    clearInterval(sweeping);
    await base.ownership.drain();
    base.notifications.close();
    base.people.auditForwarder?.close();
    comparisonWork.close();
    await elsewhere.close();
    await publications.close();
    // Text that people typed together is saved while the sandboxes are still there.
    await routes.rooms.close();
    await runtimes.close();
    await toolServer.close();
    await mcp.close();
    base.guards.live?.close();
    upgrades.close();
    unannounce?.();
    await listener?.close();
    await previews.browser?.close();
    await driver.close();
    // A command leaves a notice about its folder for the server that shares its data.
    if (options.sharedDirectory !== undefined && listFolders)
      await leaveListed(store, dataDirectory).catch((error: Error) => onNotice(error.message));
    for (const closer of parts.closers) await closer();
    await parts.cluster?.close();
    await store.close();
  }

  return {
    fetch: async (request) => app.fetch(request),
    token: base.token,
    ticket: () => base.tickets.give(),
    ownerLink: parts.accounts && (() => createOwnerLink(parts.accounts!, base.appOrigin())),
    async isOwnerSignedIn() {
      const { sessions, owner } = parts.accounts ?? {};
      return sessions !== undefined && (await sessions.list((await owner!()).id)).length > 0;
    },
    projects: {
      ...projects,
      async open(options) {
        // Notices of commands are imported first, so that a folder's project has the name of its conversation.
        await opened.folders.take();
        return projects.open(options);
      },
    },
    comparisons,
    parallel,
    publications,
    settings,
    exportDataDirectory: (project, folder, how) =>
      exportDataDirectory({ apps: parts.appsPostgres, driver: parts.driver }, project, folder, how),
    lastResort: createLastResort({ onNotice, release: (project) => runtimes.release(project) }),
    async listen(where) {
      const handlers = routeConnections(base, previews, publishing, routes, parts.accounts);
      const routed = parts.cluster?.route(handlers, findProject(base, publishing)) ?? handlers;
      listener = await listen({ ...where, isPublic: base.address.people !== undefined }, routed);
      base.address.listens(listener.port);
      await parts.cluster?.listen(handlers);
      await publications.openPorts();
      if (parts.prepareTemplates)
        driver.prepareTemplates().catch((error: Error) => {
          // Dependencies of templates, or the image, are then prepared on first use.
          if (!closing) onNotice(`What projects need could not be prepared: ${error.message}`);
        });
      // Comparisons are resumed only here, since their looks need the port.
      // Of several servers, another one may be working on them.
      if (!base.ownership.isShared)
        comparisonWork.resume().catch((error: Error) => onNotice(error.message));
      unannounce = announceAddress(dataDirectory, listener.url);
      return { port: listener.port, url: listener.url };
    },
    close: () => (closing ??= close()),
  };
}

import { getRequestListener } from "@hono/node-server";
import type { Clock, ReadTemplate } from "@treadle/agent";
import type { Health, Machine } from "@treadle/protocol";
import type { ProjectRecord, Store } from "@treadle/store";
import { askAdvisories, reachableHosts } from "@treadle/egress";
import { createTabs, withRoom, withTabs, type WorkspaceDriver } from "@treadle/workspace";
import { createLastResort } from "./common/concerned-project.ts";
import { createBoltChat } from "./bolt/bolt-chat.ts";
import { createApp } from "./api/app.ts";
import type { ModelSettings } from "./models/types.ts";
import { pagePolicy } from "./access/headers.ts";
import { createTickets } from "./access/tickets.ts";
import { loadToken } from "./access/token.ts";
import type { Gateway, GatewayOptions } from "@treadle/gateway";
import { announceAddress } from "./address-file.ts";
import { listenOnLoopback, type Listener } from "./listen.ts";
import {
  browserCheck,
  BrowserError,
  type BrowserOptions,
  type PreviewBrowser,
} from "@treadle/browser";
import { createMcpHub } from "@treadle/tool-servers";
import { serveMcp } from "./mcp-server/serve-mcp.ts";
import { staticPage } from "./page/static-page.ts";
import { previewTarget } from "./preview-target.ts";
import { ownRules } from "./personal/own-rules.ts";
import { keptPictures } from "./pictures/kept-pictures.ts";
import { createDatabases, createKeptData, exportDataDirectory } from "@treadle/app-database";
import type { AppsPostgres } from "@treadle/app-database";
import {
  createCandidates,
  createCertificates,
  createDoor,
  createPublications,
  createSharing,
  openElsewhere,
  openPublicationList,
  PUBLISHED_PLACES,
} from "@treadle/publish";
import { createPlaces } from "@treadle/gateway";
import { lookInTab } from "./tabs/look-in-tab.ts";
import { exportTranscript } from "./replay/export-transcript.ts";
import { openComparisonList } from "./compare/comparison-list.ts";
import { createComparisons } from "./compare/comparisons.ts";
import { createListedFolders, leaveListed } from "./projects/listed-folders.ts";
import { createProjectService } from "./projects/project-service.ts";
import { createSettingsService } from "./projects/project-settings.ts";
import { createCopyPreviews, type CopyPreviews } from "./data-copies/data-copies.ts";
import { sourceText } from "./runtime/source-text.ts";
import { openRuntimes, type Runtimes } from "./runtime/runtimes.ts";
import type { RuntimeParts } from "./project-context/project-context.ts";
import { projectFolder } from "./project-context/project-folder.ts";
import { readServerSettings } from "./server-settings.ts";
import type { Treadle, TreadleOptions } from "./types.ts";
import { createUpgrade } from "./api/upgrade.ts";
import { VERSION } from "@treadle/common/version";

/** What the server is put together from. Tests put fakes in the place of what needs a sandbox, a browser or a model. */
export interface Parts {
  store: Store;
  driver: WorkspaceDriver;
  /** Where apps may have databases besides SQLite's. */
  appsPostgres?: AppsPostgres | undefined;
  models: ModelSettings;
  runTurn: RuntimeParts["runTurn"];
  gatherEvidence: RuntimeParts["gatherEvidence"];
  clock: Clock;
  createGateway?(options: GatewayOptions): Gateway;
  /** What looks at previews where nobody does; it reaches them through the gateway alone. */
  createBrowser?(gateway: BrowserOptions["gateway"]): PreviewBrowser;
  readTemplate?: ReadTemplate;
  /** Settings of a data folder that others share: what this one has not set up is taken from there. */
  sharedSettings?: ReadonlyMap<string, unknown>;
  /** Prepare the templates' dependencies in the background once the server listens. */
  prepareTemplates?: boolean;
  /** Closed in this order after the workspaces, and before the store. */
  closers: (() => Promise<void>)[];
}

/** How often it is looked for what nobody uses: at most that often, and four times in the time that it may be unused. */
const SWEEP_MS = 60_000;

/** Puts the server together. Nothing listens until it is told to. */
export async function assemble(options: TreadleOptions, parts: Parts): Promise<Treadle> {
  const { store, models, clock } = parts;
  const tabs = createTabs();
  const awake = (besides: string) => [...runtimes.awake(besides), ...publications.awake(besides)];
  const driver = withTabs(
    withRoom(parts.driver, () => clock.now(), awake),
    tabs,
  );
  const onNotice = options.onNotice ?? (() => {});
  const token = loadToken(options.dataDirectory);
  const { listFolders, idleMs, historyBytes, appsDomain, ports, proxies, standIns, verdicts } =
    readServerSettings(options.env);
  let listener: Listener | undefined;
  const tickets = createTickets();
  const access = () => ({ token, takeTicket: tickets.take, port: listener?.port });
  const appOrigin = () => `http://localhost:${listener?.port ?? 0}`;

  /** What a project's own turn or look asks for: it does not wait for the end that waits for it. */
  const runtimeOf = async (id: string) => runtimes.known(id) ?? runtimes.get(id);
  const mcp = createMcpHub({
    store,
    shared: parts.sharedSettings,
    env: options.env,
    appOrigin,
    workspaceOf: async (project) => (await runtimeOf(project)).workspace(),
    onNotice,
  });
  /** What a page of a project is opened with; `port`: another than the one that is previewed first. */
  const reachOf = async (
    { id, capability }: Pick<ProjectRecord, "id" | "capability">,
    port?: number,
  ) => {
    if (!gateway) throw new BrowserError("There are no previews here.");
    // The port that previews show is looked at where people see it.
    const shown = (await runtimeOf(id)).holder.ports()[0];
    return {
      ...(await allowedOf(id)),
      origin: gateway.originOf(capability, port === shown ? undefined : port),
    };
  };
  /** What pages of a project may reach, and the sources that their errors are placed in. */
  const allowedOf = async (id: string) => {
    const read = await settings.read(id);
    return {
      hosts: reachableHosts(read),
      staticHosts: read.staticHosts.on,
      source: async (path: string) => sourceText(await runtimeOf(id), path),
    };
  };
  const keptData = createKeptData({
    folderOf: (project) => projectFolder(options.dataDirectory, project),
    hasPostgres: parts.appsPostgres !== undefined,
  });
  const runtimes: Runtimes = await openRuntimes({
    store,
    driver,
    models,
    runTurn: parts.runTurn,
    gatherEvidence: parts.gatherEvidence,
    keptData,
    async browserOf(record) {
      if (record.runsIn === "tab") return lookInTab(tabs.of(record.id));
      if (!browser || !(await browser.available()).ok) return undefined;
      return {
        look: async ({ port, ...request }) => ({
          ...(await browser.look({ ...request, ...(await reachOf(record, port)) })),
          ...(port === undefined ? {} : { port }),
        }),
        personFirst: async (signal) => (await runtimeOf(record.id)).personPage.settled(signal),
        use: async ({ port, ...request }) =>
          browser.use({ ...request, ...(await reachOf(record, port)) }),
      };
    },
    copiesOf: (record, workspace) =>
      copyPreviews?.get(record.id, workspace, () => allowedOf(record.id)),
    readTemplate: parts.readTemplate,
    tabAddress: (project) => `${appOrigin()}/tab/${project}`,
    mcp,
    published: {
      async rest(project) {
        await elsewhere.rest(project);
        await publications.rest(project);
      },
      back: (project) => publications.back(project),
      async remove(project) {
        await elsewhere.remove(project);
        await publications.remove(project);
        await sharing.shares.removeOf(project);
        await parts.appsPostgres?.removeProject(project).catch((error: Error) => {
          onNotice(`Its PostgreSQL databases could not be removed: ${error.message}`);
        });
      },
    },
    // Without a sandbox a command runs as the person who started the server.
    approvalMode: options.unsafeNoSandbox ? "safe" : "auto",
    clock,
    verdicts,
    dataDirectory: options.dataDirectory,
    idleMs,
    historyBytes,
    onNotice,
  });
  const targetOf = (capability: string) =>
    previewTarget(runtimes, capability, async (project) => {
      const read = await settings.read(project);
      const { on, hosts } = read.staticHosts;
      return read.limitPreview
        ? { hosts: reachableHosts(read), staticHosts: on ? hosts : [] }
        : undefined;
    });
  const gateway: Gateway | undefined = parts.createGateway?.({
    appOrigin,
    token,
    resolve: (capability) => copyPreviews?.find(capability) ?? targetOf(capability),
  });
  const candidates = createCandidates(appOrigin, token);
  const browser = gateway && parts.createBrowser?.(candidates.among(gateway));
  const copyPreviews: CopyPreviews | undefined =
    gateway && browser && createCopyPreviews(browser, (...where) => gateway.originOf(...where));
  const previewOrigin = (capability: string) =>
    gateway?.originOf(capability) ?? appOrigin().replace("localhost", `${capability}.localhost`);
  const now = () => clock.now();
  const saved = {
    picturesOf: (id: string) => keptPictures(projectFolder(options.dataDirectory, id)),
    folderOf: (id: string) => projectFolder(options.dataDirectory, id),
    personal: ownRules(options.dataDirectory),
  };
  const projects = createProjectService({ store, runtimes, models, now, ...saved });
  const { dataDirectory } = options;
  const folders = createListedFolders({ dataDirectory, store, projects, runtimes, onNotice });
  const settings = createSettingsService({
    store,
    runtimes,
    verdicts,
    onChanged: (project) => publications.settingsChanged(project),
  });
  const comparisons = createComparisons({
    store,
    runtimes,
    projects,
    now,
    onNotice,
    allowHost: settings.allowHost,
    list: await openComparisonList(store),
    ...saved,
  });

  const published = createPlaces(PUBLISHED_PLACES);
  const door = createDoor(token, { published, proxies });
  const publications = createPublications({
    store,
    driver,
    appsPostgres: parts.appsPostgres,
    projects: runtimes,
    list: await openPublicationList(store),
    folderOf: saved.folderOf,
    appOrigin,
    appsDomain,
    ports,
    door,
    askAdvisories: (packages, signal) => askAdvisories(options.env, packages, signal),
    inspect:
      browser &&
      ((project, answering, look) =>
        candidates.withHost(project, answering, (origin) =>
          browser.inspect({ origin, path: "/", ...look }),
        )),
    now,
    onNotice,
  });
  const elsewhere = await openElsewhere({
    store,
    dataDirectory: options.dataDirectory,
    origin: standIns,
    clock,
    publications,
    folderOf: saved.folderOf,
    onNotice,
  });
  const certificates = createCertificates({
    token,
    port: () => listener?.port,
    isServed: (domain) => publications.find(domain) !== undefined || sharing.isServed(domain),
  });
  for (const { id } of await store.projects.deleted()) await publications.rest(id);
  const sharing = await createSharing({
    store,
    projects: runtimes,
    publications,
    targetOf,
    published,
    proxies,
    picturesOf: saved.picturesOf,
    dataDirectory: options.dataDirectory,
    env: options.env,
    token,
    appOrigin,
    appsDomain,
    now,
    onNotice,
  });

  const health = async (): Promise<Health> => {
    const [sandbox, seenBrowser] = await Promise.all([
      driver.probe(),
      browser?.available() ?? { ok: false, message: "No browser is set up." },
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
        message: missing && !sandbox.ok ? `${missing.name}: ${missing.detail}` : undefined,
      },
      browser: seenBrowser,
    };
  };

  const machine = async (): Promise<Machine> => {
    const [sandbox, seenBrowser, postgres] = await Promise.all([
      driver.probe(),
      browser?.available(),
      parts.appsPostgres?.probe(),
    ]);
    return {
      version: VERSION,
      node: process.versions.node,
      system: `${process.platform} ${process.arch}`,
      checks: [
        { name: "driver", ok: sandbox.ok, detail: driver.name },
        ...sandbox.checks,
        { name: "data folder", ok: true, detail: options.dataDirectory },
        browserCheck(seenBrowser ?? { ok: false, message: "No browser is set up." }),
        ...(postgres ? [{ name: "databases of apps", ...postgres }] : []),
      ],
    };
  };

  const toolServer = serveMcp({
    token,
    origin: appOrigin,
    fetch: async (request) => fetch(request),
  });
  const app = createApp({
    toolServer: toolServer.fetch,
    services: {
      store,
      projects,
      runtimes,
      models,
      folders,
      settings,
      comparisons,
      publications,
      elsewhere,
      certificates,
      shares: sharing.shares,
      transcriptOf: (project, run) =>
        exportTranscript(
          {
            store,
            workspaceOf: async (id) => (await runtimes.get(id)).workspace(),
            privateValues: sharing.privateValues,
            ...saved,
          },
          project,
          run,
        ),
      keptData,
      databases: createDatabases({
        preview: async (project, work) => work(await (await runtimes.get(project)).workspace()),
        published: publications.withFiles,
        hasPostgres: parts.appsPostgres !== undefined,
      }),
      mcp,
      health,
      machine,
      dataDirectory: options.dataDirectory,
      previewOrigin,
      async takePicture(record, { port, ...shot }) {
        if (!browser) throw new BrowserError("No browser is set up.");
        return browser.screenshot({ ...shot, ...(await reachOf(record, port)) });
      },
      ticket: tickets.give,
      boltChat: createBoltChat({
        store,
        runtimes,
        projects,
        models,
        pageOf: (project) => `${appOrigin()}/p/${project}`,
      }),
      now,
      ...saved,
    },
    access,
    page: options.webDirectory
      ? staticPage(options.webDirectory, () => pagePolicy(listener?.port))
      : undefined,
    onNotice,
  });
  const fetch = async (request: Request) => app.fetch(request);
  const upgrades = createUpgrade({ store, runtimes, tabs, access });
  const answer = getRequestListener((request, env) => app.fetch(request, env), {
    // A Host header that is no host at all reaches nobody.
    errorHandler: () => new Response("Bad request", { status: 400 }),
  });
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
    comparisons.close();
    await elsewhere.close();
    await publications.close();
    await runtimes.close();
    await toolServer.close();
    await mcp.close();
    upgrades.close();
    unannounce?.();
    await listener?.close();
    await browser?.close();
    await driver.close();
    // A command in a folder leaves word of it to the server that shares its data.
    if (options.sharedDirectory !== undefined && listFolders)
      await leaveListed(store, options.dataDirectory).catch((error: Error) =>
        onNotice(error.message),
      );
    for (const closer of parts.closers) await closer();
    await store.close();
  }

  return {
    fetch,
    token,
    ticket: tickets.give,
    projects,
    comparisons,
    publications,
    settings,
    exportDataDirectory: (project, folder, how) =>
      exportDataDirectory({ apps: parts.appsPostgres, driver: parts.driver }, project, folder, how),
    lastResort: createLastResort({ onNotice, release: (project) => runtimes.release(project) }),
    async listen(where) {
      listener = await listenOnLoopback(where, {
        request(request, response) {
          const { host } = request.headers;
          const published = publications.find(host);
          if (sharing.door.handles(host)) sharing.door.handle(request, response);
          else if (published) door.handle(published, request, response);
          else if (gateway?.handles(request.headers.host)) gateway.handle(request, response);
          else if (certificates.handles(request)) certificates.handle(request, response);
          else answer(request, response).catch(() => response.destroy());
        },
        upgrade(request, socket, head) {
          const { host } = request.headers;
          const published = publications.find(host);
          if (sharing.door.handles(host)) sharing.door.upgrade(request, socket, head);
          else if (published) door.upgrade(published, request, socket, head);
          else if (gateway?.handles(request.headers.host)) gateway.upgrade(request, socket, head);
          else upgrades.upgrade(request, socket, head).catch(() => socket.destroy());
        },
      });
      await publications.openPorts();
      if (parts.prepareTemplates)
        driver.prepareTemplates().catch((error: Error) => {
          // It is prepared when it is first needed, then: dependencies of templates, or the image.
          if (!closing) onNotice(`What projects need could not be prepared: ${error.message}`);
        });
      // What looks at previews needs the port.
      comparisons.resume().catch((error: Error) => onNotice(error.message));
      unannounce = announceAddress(options.dataDirectory, listener.url);
      return { port: listener.port, url: listener.url };
    },
    close: () => (closing ??= close()),
  };
}

import type { Clock, ReadTemplate } from "@treadle/agent";
import {
  createAuditForwarder,
  createAuthority,
  createModelRules,
  createRunLine,
  type Accounts,
} from "@treadle/accounts";
import type { AppsPostgres } from "@treadle/app-database";
import { type Cluster, soleOwnership } from "@treadle/cluster";
import type { BrowserOptions, PreviewBrowser } from "@treadle/browser";
import type { Gateway, GatewayOptions } from "@treadle/gateway";
import type { Store } from "@treadle/store";
import type { Telemetry } from "@treadle/telemetry";
import { createOwnersRoom } from "./workspace/owners-room.ts";
import {
  createTabs,
  type OpenOptions,
  withOpen,
  withRoom,
  withTabs,
  type WorkspaceDriver,
} from "@treadle/workspace";
import { createLiveAccess } from "./access/live-access.ts";
import { accountAccess, localAccess } from "./access/identify.ts";
import { createPreviewPasses } from "./access/preview-passes.ts";
import { createTickets } from "./access/tickets.ts";
import { loadToken } from "./access/token.ts";
import { type ModelSettings, teamModels } from "@treadle/model-settings";
import { ownRules } from "./personal/own-rules.ts";
import { createNotifications } from "@treadle/notifications";
import { keptPictures } from "@treadle/pictures";
import type { RuntimeParts } from "./project-context/project-context.ts";
import { projectFolder } from "./project-context/project-folder.ts";
import { createProjectLookup } from "./runtime/project-lookup.ts";
import { createServerAddress } from "./server-address.ts";
import { readServerSettings } from "./server-settings.ts";
import type { TreadleOptions } from "./types.ts";

/**
 * The parts from which the server is assembled. Tests replace those that need a sandbox, a browser
 * or a model.
 */
export interface Parts {
  store: Store;
  driver: WorkspaceDriver;
  /** This server as one of several; undefined if it has the database alone. */
  cluster?: Cluster | undefined;
  /** People with accounts; undefined if there is only the person at this machine. */
  accounts?: Accounts | undefined;
  /** The PostgreSQL server for apps, if there is one. */
  appsPostgres?: AppsPostgres | undefined;
  models: ModelSettings;
  /** Metrics and traces for the operator; undefined if none are set up. */
  telemetry?: Telemetry | undefined;
  runTurn: RuntimeParts["runTurn"];
  gatherEvidence: RuntimeParts["gatherEvidence"];
  clock: Clock;
  createGateway?(options: GatewayOptions): Gateway;
  /** Creates the browser that looks at previews, which it reaches only through the gateway. */
  createBrowser?(gateway: BrowserOptions["gateway"]): PreviewBrowser;
  readTemplate?: ReadTemplate;
  /** Settings of a shared data folder, used for what this one does not set. */
  sharedSettings?: ReadonlyMap<string, unknown>;
  /** Whether to prepare the templates' dependencies in the background once the server listens. */
  prepareTemplates?: boolean;
  /** Called in this order when the server closes, after the workspaces and before the store. */
  closers: (() => Promise<void>)[];
}

export type Base = ReturnType<typeof createBase>;

/** Lets rules and quotas decide which packages a project, or a release of it, may install, and what it takes of the disk. */
const withTeamRules = (
  driver: WorkspaceDriver,
  { packages, quotas }: Pick<Accounts, "packages" | "quotas">,
): WorkspaceDriver =>
  withOpen(driver, (options) => {
    // A release's sandbox is named after its project, whose id contains no hyphen.
    const [project = ""] = options.project.split("-");
    const mayInstall: OpenOptions["mayInstall"] = (asked) => packages.mayInstall(project, asked);
    const diskAllowance = () => quotas.allowanceOf(project);
    return driver.open({ ...options, mayInstall, diskAllowance });
  });

/**
 * The first layer, used by all others, with two places that later layers fill in: the address, once
 * the server listens, and the projects, once they have runtimes.
 */
export function createBase(options: TreadleOptions, parts: Parts) {
  const { env, dataDirectory, onNotice = () => {} } = options;
  const { store, clock, appsPostgres, accounts } = parts;
  const modelRules = accounts && createModelRules(store, accounts);
  const models =
    accounts && modelRules
      ? teamModels(parts.models, { accounts, rules: modelRules, store, onNotice })
      : parts.models;
  const settings = readServerSettings(env);
  const address = createServerAddress(settings.people);
  const lookup = createProjectLookup();
  const tabs = createTabs();
  parts.telemetry?.countSandboxes(() => lookup.awake("").length);
  const driver = withRoom(parts.driver, () => clock.now(), lookup.awake);
  const quotas = accounts?.quotas;
  const room = quotas && createOwnersRoom({ quotas, awake: lookup.awakeProjects, now: () => clock.now() }); // prettier-ignore
  const line = quotas && createRunLine(() => quotas.read(), room!.isFree);
  const token = loadToken(dataDirectory);
  const tickets = createTickets();
  const authority = createAuthority(accounts?.members);
  const ownHosts = () => ({ people: address.people, port: address.port() });
  const previewPasses = address.people && createPreviewPasses(() => store.signer, () => clock.now()); // prettier-ignore
  const live = accounts && createLiveAccess(accounts, authority, () => clock.now()); // prettier-ignore
  const notifications = createNotifications({ store, clock, appOrigin: address.origin, onNotice });
  const logListeners = new Set([notifications.logged]);
  return {
    env,
    dataDirectory,
    onNotice,
    store,
    ownership: parts.cluster?.ownership ?? soleOwnership(store),
    models,
    clock,
    now: () => clock.now(),
    appsPostgres,
    settings,
    address,
    appOrigin: address.origin,
    lookup,
    tabs,
    driver: withTabs(accounts && room ? withTeamRules(room.limit(driver), accounts) : driver, tabs),
    notifications,
    /** Called with each event that was added to a project's log. */
    logListeners,
    token,
    tickets,
    previewPasses,
    guards: {
      access: () => ({
        ...(accounts ? accountAccess(accounts, token, tickets) : localAccess(token, tickets)),
        ...ownHosts(),
      }),
      authority,
      live,
    },
    /** The services that the routes for people and sign-ins need. */
    people: {
      accounts,
      modelRules,
      line,
      auditForwarder:
        accounts && createAuditForwarder({ audit: accounts.audit, store, clock, onNotice }),
      origin: address.origin,
      ownHosts,
      previewPasses,
      proxies: settings.proxies,
      ticket: tickets.give,
    },
    saved: {
      picturesOf: (id: string) => keptPictures(projectFolder(dataDirectory, id)),
      folderOf: (id: string) => projectFolder(dataDirectory, id),
      personal: ownRules(dataDirectory),
    },
  };
}

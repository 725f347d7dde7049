import type { OidcSignIn } from "@treadle/accounts";
import { gatherEvidence, runTurn } from "@treadle/agent";
import { createDiskUse } from "./workspace/disk-use.ts";
import { projectFolder } from "./project-context/project-folder.ts";
import { openStore, readSettings } from "@treadle/store";
import { createCluster } from "@treadle/cluster";
import { openTelemetry } from "@treadle/telemetry";
import { createDriver, readTemplate } from "@treadle/workspace";
import { assemble } from "./assemble.ts";
import { VERSION } from "@treadle/common/version";
import { cacheDirectory } from "@treadle/common/cache-directory";
import { openOwnPostgres, readAppsPostgres, withPostgres } from "@treadle/app-database";
import { seeToDatabases } from "./moved-databases.ts";
import { createGateway } from "@treadle/gateway";
import { createBrowser } from "@treadle/browser";
import { createDemoPlayer, openModelSettings } from "@treadle/model-settings";
import { readPersonal } from "./personal/read-personal.ts";
import { systemClock } from "./common/system-clock.ts";
import { observeBrowser, observeDriver, observeStore, observeTurns } from "./observe.ts";
import { readServerSettings } from "./server-settings.ts";
import type { Player } from "@treadle/replay";
import type { Treadle, TreadleOptions } from "./types.ts";

/** How often to look for people about whom the identity provider has to be asked again, in milliseconds. */
const FOLLOW_MS = 60_000;

/** Starts the timer that asks the identity provider again about people who are signed in; of several servers one asks. */
const followProvider = (
  oidc: OidcSignIn,
  leads: (() => Promise<boolean>) | undefined,
  onNotice: (text: string) => void,
) =>
  setInterval(() => {
    Promise.resolve(leads?.() ?? true)
      .then((isLeader) => (isLeader ? oidc.followDue() : undefined))
      .catch((error: unknown) => onNotice((error as Error).message));
  }, FOLLOW_MS).unref();

/**
 * Creates the server on this machine: its store, its sandboxes and its browser. Nothing listens until `listen` is
 * called.
 * @param player answers in place of models, for a replay
 * @param withWork whether recorded results of outside work are returned instead of performing it
 * @throws StoreError if the data folder cannot be used; its message can be shown to people
 */
export async function createTreadle(
  options: TreadleOptions,
  player?: Player,
  withWork = false,
): Promise<Treadle> {
  const { dataDirectory, sharedDirectory, env, onNotice = () => {} } = options;
  const unsafeNoSandbox = options.unsafeNoSandbox ?? false;
  const cache = cacheDirectory(options);
  const settings = readServerSettings(env);
  const telemetry = await openTelemetry({
    settings: settings.telemetry,
    version: VERSION,
    onNotice,
  });
  // A command that runs beside a server works in a folder of its own, which no other server shares.
  const clustered = sharedDirectory === undefined ? settings.cluster : undefined;
  const opened = await openStore({
    directory: dataDirectory,
    database: options.database,
    isShared: clustered !== undefined,
    onFailure: (error) => onNotice(error.message),
  }).catch(async (error: unknown) => {
    await telemetry?.close();
    throw error;
  });
  const now = () => systemClock.now();
  const cluster = clustered && createCluster(opened, clustered, { now, onNotice });
  const observed = observeStore(cluster?.store ?? opened, telemetry);
  // Loaded on demand: a server of one person needs none of it.
  const { accounts, store } = settings.team
    ? (await import("@treadle/accounts/open")).openAccounts(observed, {
        now,
        oidc: settings.oidc,
        diskOf: createDiskUse({
          folderOf: (project) => projectFolder(dataDirectory, project),
          now,
        }),
        onNotice,
      })
    : { accounts: undefined, store: observed };
  const following =
    accounts?.oidc &&
    followProvider(accounts.oidc, cluster && (() => cluster.ownership.leads("provider")), onNotice);
  const demos = createDemoPlayer();
  try {
    const models =
      player?.models ?? (await openModelSettings({ store, env, sharedDirectory, demos, now }));
    const work = withWork ? player?.work : undefined;
    const sandboxes = observeDriver(
      await createDriver({ cacheDirectory: cache, env, unsafeNoSandbox, onNotice }),
      telemetry,
    );
    const operators = readAppsPostgres(env, dataDirectory);
    // The server starts without waiting for an unresponsive database.
    if (operators) void seeToDatabases(operators, dataDirectory, onNotice);
    const appsPostgres = operators ?? openOwnPostgres(sandboxes, dataDirectory, onNotice);
    return await assemble(options, {
      store,
      cluster,
      accounts,
      driver: appsPostgres ? withPostgres(sandboxes, appsPostgres) : sandboxes,
      appsPostgres,
      models,
      telemetry,
      runTurn: observeTurns(
        async (request, ports) =>
          runTurn(request, {
            ...ports,
            personal: await readPersonal(dataDirectory),
            ...(work ? { recorded: work } : {}),
          }),
        telemetry,
      ),
      gatherEvidence,
      clock: systemClock,
      createGateway,
      createBrowser: (gateway) =>
        observeBrowser(
          createBrowser({ cacheDirectory: cache, env, gateway, unsafeNoSandbox }),
          telemetry,
        ),
      sharedSettings: sharedDirectory
        ? await readSettings(sharedDirectory, env.DATABASE_URL)
        : undefined,
      readTemplate: async (name) => readTemplate(name),
      // A command that runs beside a server leaves this to the server, which does it for both.
      prepareTemplates: sharedDirectory === undefined,
      closers: [
        async () => clearInterval(following),
        () => demos.close(),
        async () => appsPostgres?.close(),
        async () => telemetry?.close(),
      ],
    });
  } catch (error) {
    clearInterval(following);
    await demos.close();
    await cluster?.close();
    await store.close();
    await telemetry?.close();
    throw error;
  }
}

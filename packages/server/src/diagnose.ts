import { openStore } from "@treadle/store";
import { createDriver, type MachineReport } from "@treadle/workspace";
import { cacheDirectory } from "@treadle/common/cache-directory";
import { browserCheck, createBrowser } from "@treadle/browser";
import { examineData } from "./examine-data.ts";
import { createDemoPlayer, openModelSettings } from "@treadle/model-settings";
import { openOwnPostgres, readAppsPostgres } from "@treadle/app-database";
import { databasesOfOthers } from "./moved-databases.ts";
import { wrongSettings } from "./server-settings.ts";

/**
 * Reports what this machine can and cannot do, for `treadle doctor`. `ok` tells whether the server would start, run code
 * and save it; a missing browser or model does not affect `ok`. Never rejects.
 */
export async function diagnose(options: {
  dataDirectory: string;
  env: Record<string, string | undefined>;
}): Promise<MachineReport> {
  const { env } = options;
  const cache = cacheDirectory(options);
  const sandbox = await checkSandbox(cache, env);
  const retained = await checkKept(options, cache);
  const data = await checkData(options);
  const postgres = await checkPostgres(cache, env, options.dataDirectory);
  const wrong = wrongSettings(env);
  const checks = [
    ...sandbox.checks,
    ...data.checks,
    ...retained,
    await checkBrowser(cache, env),
    ...postgres.checks,
    ...wrong.map((detail) => ({ name: "setting", ok: false, detail })),
  ];
  return { ok: sandbox.ok && data.ok && postgres.ok && wrong.length === 0, checks };
}

async function checkSandbox(
  cacheDirectory: string,
  env: Record<string, string | undefined>,
): Promise<MachineReport> {
  try {
    const driver = await createDriver({ cacheDirectory, env });
    const { ok, checks } = await driver.probe();
    return { ok, checks: [{ name: "driver", ok: true, detail: driver.name }, ...checks] };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, checks: [{ name: "driver", ok: false, detail }] };
  }
}

/**
 * Checks the PostgreSQL server that the operator names, or else Treadle's own. `ok` is only false if the address is
 * invalid, since Treadle starts without a PostgreSQL server that responds.
 */
async function checkPostgres(
  cacheDirectory: string,
  env: NodeJS.ProcessEnv,
  dataDirectory: string,
): Promise<MachineReport> {
  const name = "databases of apps";
  try {
    const postgres = readAppsPostgres(env, dataDirectory);
    if (!postgres)
      return { ok: true, checks: await checkOwnPostgres(cacheDirectory, env, dataDirectory) };
    const { ok, detail } = await postgres.probe();
    await postgres.close();
    const others = ok ? await databasesOfOthers(env, dataDirectory) : [];
    if (others.length === 0) return { ok: true, checks: [{ name, ok, detail }] };
    const check = {
      name,
      ok: false,
      detail: `${detail}: those of ${others.join(", ")} belong to another data folder, of which this one is the original or a copy`,
      mend: "if this one replaces that folder: treadle doctor --take-databases; otherwise give one of them its own PostgreSQL server",
    };
    return { ok: true, checks: [check] };
  } catch (error) {
    return { ok: false, checks: [{ name, ok: false, detail: (error as Error).message }] };
  }
}

/**
 * Checks whether Treadle can run its own PostgreSQL server. Returns nothing if sandboxes cannot be opened here,
 * because that is reported separately.
 */
async function checkOwnPostgres(
  cacheDirectory: string,
  env: NodeJS.ProcessEnv,
  dataDirectory: string,
): Promise<MachineReport["checks"]> {
  const driver = await createDriver({ cacheDirectory, env }).catch(() => undefined);
  const postgres = driver && openOwnPostgres(driver, dataDirectory, () => {});
  const name = "databases of apps";
  if (driver && !postgres)
    return [
      {
        name,
        ok: false,
        detail: `apps have no PostgreSQL: the driver ${driver.name} cannot run one, and no server is named`,
        mend: "TREADLE_APPS_DATABASE_URL names one; or use the driver local, on Linux",
      },
    ];
  if (!postgres) return [];
  try {
    return [{ name, ...(await postgres.probe()) }];
  } finally {
    await postgres.close();
  }
}

async function checkData({
  dataDirectory,
  env,
}: {
  dataDirectory: string;
  env: Record<string, string | undefined>;
}): Promise<MachineReport> {
  try {
    const store = await openStore({ directory: dataDirectory, database: env.DATABASE_URL });
    const demos = createDemoPlayer();
    const models = await openModelSettings({
      store,
      env,
      sharedDirectory: undefined,
      demos,
      now: () => Date.now(),
    });
    const chosen = await models.chosen();
    await store.close();
    const checks = [
      { name: "data folder", ok: true, detail: dataDirectory },
      { name: "projects in", ok: true, detail: store.database },
      chosen === undefined
        ? {
            name: "model",
            ok: false,
            detail: "no model is set up; the recorded builds work without one",
            mend: "export ANTHROPIC_API_KEY=…, or type a key into the page",
          }
        : { name: "model", ok: true, detail: chosen },
    ];
    return { ok: true, checks };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    // A folder that a running Treadle uses is writable.
    const { code } = error as { code?: unknown };
    const ok = code === "busy";
    const check = { name: "data folder", ok, detail: ok ? `${dataDirectory} (in use)` : detail };
    // The message about a database already says what to do.
    const isFolder = code === "not-writable" || code === "full";
    return {
      ok,
      checks: [isFolder ? { ...check, mend: "choose another with --data DIR" } : check],
    };
  }
}

/** Checks the consistency of stored data. Skipped while a server is using it. */
async function checkKept(
  { dataDirectory, env }: { dataDirectory: string; env: Record<string, string | undefined> },
  cache: string,
): Promise<MachineReport["checks"]> {
  try {
    const found = await examineData({
      dataDirectory,
      cacheDirectory: cache,
      database: env.DATABASE_URL,
      repair: false,
    });
    if (found.length === 0) return [{ name: "what is kept", ok: true, detail: "holds together" }];
    return found.map(({ where, problem }) => ({
      name: "what is kept",
      ok: false,
      detail: `${where}: ${problem}`,
      mend: "treadle doctor --repair",
    }));
  } catch {
    // `checkData` reports a folder that cannot be used.
    return [];
  }
}

async function checkBrowser(cacheDirectory: string, env: Record<string, string | undefined>) {
  const gateway = { handle: () => {}, upgrade: () => {}, connect: async () => undefined };
  const browser = createBrowser({ cacheDirectory, env, gateway });
  try {
    return browserCheck(await browser.available());
  } finally {
    await browser.close();
  }
}

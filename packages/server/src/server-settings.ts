import { readOidcSettings, type OidcSettings } from "@treadle/accounts";
import { readClusterSettings } from "@treadle/cluster";
import { readPublicAddress, readTrustedProxies } from "@treadle/common";
import { type DeviceClient, readDeviceClients } from "@treadle/git";
import { readAppsDomain, readPortSettings, readStandIns } from "@treadle/publish";
import { readTelemetrySettings } from "@treadle/telemetry";
import { readHistoryBytes } from "./runtime/history-limit.ts";
import { readListFolders } from "./projects/listed-folders.ts";
import { readIdleMs } from "./runtime/idle-setting.ts";
import { VERDICT_MODES, type VerdictMode } from "@treadle/protocol/evidence";

/**
 * The default verdict mode of projects.
 * @param value of TREADLE_VERDICTS
 * @throws Error with a sentence that names the variable
 */
function readVerdictMode(value: string | undefined): VerdictMode {
  const word = value?.trim() ?? "";
  if (word === "") return "thorough";
  const mode = VERDICT_MODES.find((one) => one === word);
  if (!mode) throw new Error(`TREADLE_VERDICTS is thorough or quick, not ${JSON.stringify(word)}.`);
  return mode;
}

/**
 * Whether people sign in with accounts.
 * @param value of TREADLE_TEAM
 * @throws Error with a sentence that names the variable
 */
function readTeam(value = "0"): boolean {
  if (value === "" || value === "0" || value === "1") return value === "1";
  throw new Error(`TREADLE_TEAM is 1 or 0, not ${JSON.stringify(value)}.`);
}

type Env = Record<string, string | undefined>;

/**
 * Functions that each read a setting from the environment. They throw an Error with a sentence that names the
 * invalid variable.
 */
const READERS = {
  idleMs: (env: Env) => readIdleMs(env.TREADLE_IDLE_MINUTES),
  historyBytes: (env: Env) => readHistoryBytes(env.TREADLE_HISTORY_MB),
  /**
   * The domain of published apps and shares: one of their own or, if previews are at the default port of https, the
   * previews' domain.
   */
  appsDomain(env: Env) {
    const people = readPublicAddress(env);
    const beside = people?.previewEnd === "" ? people.previewDomain : undefined;
    return readAppsDomain(env.TREADLE_APPS_DOMAIN) ?? beside;
  },
  people: (env: Env) => readPublicAddress(env),
  verdicts: (env: Env) => readVerdictMode(env.TREADLE_VERDICTS),
  ports: (env: Env) => readPortSettings(env),
  proxies: (env: Env) => readTrustedProxies(env.TREADLE_PROXIES),
  listFolders: (env: Env) => readListFolders(env.TREADLE_LIST_FOLDERS),
  gitClients: (env: Env): DeviceClient[] => readDeviceClients(env.TREADLE_GIT_CLIENT_IDS),
  telemetry: (env: Env) => readTelemetrySettings(env),
  /** A server with a public address always has accounts, even if one person uses it. */
  team: (env: Env) => readTeam(env.TREADLE_TEAM) || readPublicAddress(env) !== undefined,
  oidc: (env: Env): OidcSettings | undefined => readOidcSettings(env),
  standIns: (env: Env) => readStandIns(env.TREADLE_TEST_STAND_INS),
  cluster: (env: Env) => readClusterSettings(env),
};

type ServerSettings = { [Name in keyof typeof READERS]: ReturnType<(typeof READERS)[Name]> };

/**
 * The server's settings.
 * @throws Error with a sentence that names the first invalid variable
 */
export const readServerSettings = (env: Env): ServerSettings => ({
  idleMs: READERS.idleMs(env),
  historyBytes: READERS.historyBytes(env),
  appsDomain: READERS.appsDomain(env),
  people: READERS.people(env),
  verdicts: READERS.verdicts(env),
  ports: READERS.ports(env),
  proxies: READERS.proxies(env),
  gitClients: READERS.gitClients(env),
  telemetry: READERS.telemetry(env),
  team: READERS.team(env),
  oidc: READERS.oidc(env),
  standIns: READERS.standIns(env),
  listFolders: READERS.listFolders(env),
  cluster: READERS.cluster(env),
});

/** Why the server would not start with these settings: a sentence per invalid variable. */
export function wrongSettings(env: Env): string[] {
  return Object.values(READERS).flatMap((read) => {
    try {
      read(env);
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}

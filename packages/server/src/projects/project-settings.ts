import type { Budget, ProjectSettings, SecretEnvironment, VerdictMode } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import { normaliseAllowedHost } from "@treadle/egress/allowed-host";
import { isSandboxVariable, reachableHosts, STATIC_HOSTS } from "@treadle/egress";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, notFound } from "@treadle/common";
import type { Runtimes } from "../runtime/runtimes.ts";

const HOSTS_LIMIT = 100;
const SECRETS_LIMIT = 50;

const SECRET_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

export interface ReachSettings {
  staticHosts?: boolean | undefined;
  limitPreview?: boolean | undefined;
}

/** A secret as a person enters it. */
export interface NewSecret {
  name: string;
  value: string;
  host?: string | undefined;
  environment: SecretEnvironment;
}

/** A project's reachable hosts and its secrets, for the page. Each change applies at once. */
export interface SettingsService {
  /** The project's settings. @throws ApiFailure 404 if there is no such project, as all methods here */
  read(project: string): Promise<ProjectSettings>;
  allowHost(project: string, host: string): Promise<ProjectSettings>;
  removeHost(project: string, host: string): Promise<ProjectSettings>;
  /**
   * Adds or replaces a secret; one for both environments replaces all of its name. Without a host
   * it keeps the earlier one's, or has none.
   */
  putSecret(project: string, secret: NewSecret): Promise<ProjectSettings>;
  /** Applies several changes as one, so that a published app restarts once. Changes before a refused one are saved. */
  putSecrets(project: string, secrets: readonly NewSecret[]): Promise<ProjectSettings>;
  /** Removes a secret. @param environment absent: in all environments */
  removeSecret(
    project: string,
    name: string,
    environment?: SecretEnvironment,
  ): Promise<ProjectSettings>;
  /**
   * Sets where the project runs, from the next command on.
   * @throws ApiFailure 409 while it is busy
   */
  setRunsIn(project: string, place: "machine" | "tab"): Promise<ProjectSettings>;
  setBudget(project: string, budget: Budget): Promise<ProjectSettings>;
  /** Sets the verdict mode of the project's turns, from the next one on. */
  setVerdicts(project: string, mode: VerdictMode): Promise<ProjectSettings>;
  /** Sets whether checkpoints include the data of the app's databases, from the next turn on. */
  setKeepsData(project: string, keepsData: boolean): Promise<ProjectSettings>;
  /**
   * Sets whether the static hosts are allowed, and whether the preview in the person's browser is restricted to the
   * project's hosts. Absent fields stay unchanged.
   */
  setReach(project: string, reach: ReachSettings): Promise<ProjectSettings>;
}

/**
 * A project's settings.
 * @param verdicts the default verdict mode
 * @throws ApiFailure 404
 */
export async function readSettings(
  store: Store,
  project: string,
  verdicts: VerdictMode,
): Promise<ProjectSettings> {
  const record = await store.projects.get(project);
  if (!record) throw notFound("project");
  return {
    hosts: record.hosts ?? [],
    staticHosts: { on: record.staticHosts ?? true, hosts: [...STATIC_HOSTS] },
    limitPreview: record.limitPreview ?? false,
    runsIn: record.runsIn ?? "machine",
    secrets: await store.secrets.list(project),
    verdicts: record.verdicts ?? verdicts,
    keepsData: record.keepsData ?? false,
    budget: record.budget ?? { turn: {}, project: {} },
  };
}

export function createSettingsService(parts: {
  store: Store;
  runtimes: Runtimes;
  /** The default verdict mode of projects. */
  verdicts: VerdictMode;
  /** Called when hosts or secrets changed, as publications use them, too. */
  onChanged?(project: string): Promise<void>;
}): SettingsService {
  const { store, runtimes } = parts;
  /** The latest change. The next one waits for it, since concurrent changes would start from the same list. */
  let last: Promise<unknown> = Promise.resolve();

  const read = (project: string) => readSettings(store, project, parts.verdicts);

  /** Saves a change, then informs the workspace and all readers of the log. */
  function change(
    project: string,
    act: (before: ProjectSettings) => Promise<void>,
  ): Promise<ProjectSettings> {
    const next = last.then(async () => {
      const before = await read(project);
      await act(before);
      const after = await read(project);
      const runtime = await runtimes.get(project);
      await runtime.holder.settingsChanged();
      await parts.onChanged?.(project);
      const [had, has] = [reachable(before), reachable(after)];
      if (had.join() !== has.join()) {
        runtime.append({ type: "hosts-changed", hosts: has });
        await store.log.settled();
      }
      return after;
    });
    last = next.catch(() => undefined);
    return next;
  }

  return {
    read,
    allowHost: (project, text) =>
      change(project, async ({ hosts }) => {
        const host = readHost(text);
        if (hosts.includes(host)) return;
        if (hosts.length >= HOSTS_LIMIT)
          throw new ApiFailure(
            409,
            "too-many",
            sentence("limit-reached", { what: "hosts", limit: HOSTS_LIMIT }),
          );
        await store.projects.update(project, { hosts: [...hosts, host].toSorted() });
      }),
    removeHost: (project, text) =>
      change(project, async ({ hosts }) => {
        const host = normaliseAllowedHost(text) ?? text;
        await store.projects.update(project, { hosts: hosts.filter((other) => other !== host) });
      }),
    putSecret: (project, secret) =>
      change(project, ({ secrets }) => putSecretIn(store, project, secrets, secret)),
    putSecrets: (project, all) =>
      change(project, async () => {
        for (const secret of all)
          await putSecretIn(store, project, await store.secrets.list(project), secret);
      }),
    setBudget: (project, budget) =>
      change(project, () => store.projects.update(project, { budget })),
    setVerdicts: (project, verdicts) =>
      change(project, () => store.projects.update(project, { verdicts })),
    setKeepsData: (project, keepsData) =>
      change(project, () => store.projects.update(project, { keepsData })),
    setReach: (project, { staticHosts, limitPreview }) =>
      change(project, () =>
        store.projects.update(project, {
          ...(staticHosts === undefined ? {} : { staticHosts }),
          ...(limitPreview === undefined ? {} : { limitPreview }),
        }),
      ),
    setRunsIn: (project, place) =>
      change(project, async ({ runsIn }) => {
        if (place === runsIn) return;
        const runtime = await runtimes.get(project);
        if (runtime.isWorking()) throw new ApiFailure(409, "busy", sentence("working"));
        await runtime.alone(async () => {
          await store.projects.update(project, { runsIn: place === "tab" ? "tab" : undefined });
          await runtime.holder.release();
        });
      }),
    removeSecret: (project, name, environment) =>
      change(project, () => store.secrets.remove(project, name, environment)),
  };
}

/**
 * Checks and stores a secret.
 * @param secrets the current ones
 * @throws ApiFailure 400 `bad-name`, `bad-value`, `bad-host`; 409 `too-many`
 */
async function putSecretIn(
  store: Store,
  project: string,
  secrets: ProjectSettings["secrets"],
  { name, value, host, environment }: NewSecret,
): Promise<void> {
  if (!SECRET_NAME.test(name))
    throw new ApiFailure(400, "bad-name", sentence("secret-name-invalid"));
  if (isSandboxVariable(name))
    throw new ApiFailure(400, "bad-name", sentence("secret-name-reserved", { name }));
  if (/[\0\r\n]/.test(value))
    throw new ApiFailure(400, "bad-value", sentence("secret-has-lines", { name }));
  const known = (one: (typeof secrets)[number]) =>
    one.name === name && (one.environment === environment || environment === "both");
  if (secrets.length >= SECRETS_LIMIT && !secrets.some(known))
    throw new ApiFailure(
      409,
      "too-many",
      sentence("limit-reached", { what: "secrets", limit: SECRETS_LIMIT }),
    );
  // A secret without a host, such as the key for the app's own cookies, is sent nowhere.
  const before = secrets.find((one) => one.name === name && one.environment === environment);
  const itsHost = host === undefined ? (before?.host ?? "") : readHost(host);
  await store.secrets.put(project, { name, value, host: itsHost, environment });
}

/** The hosts that the preview reaches, sorted; a publication has its own list. */
function reachable({ hosts, secrets }: Pick<ProjectSettings, "hosts" | "secrets">): string[] {
  const own = secrets.filter(({ environment }) => environment !== "published");
  return reachableHosts({ hosts, secrets: own }).toSorted();
}

/** Normalises a host. @throws ApiFailure 400 `bad-host` with the expected form of a host */
export function readHost(text: string): string {
  // A complete address is accepted, too.
  const url = /^https?:\/\//i.test(text.trim()) ? URL.parse(text.trim()) : null;
  const host = normaliseAllowedHost(url ? url.host : text);
  if (host === undefined)
    throw new ApiFailure(
      400,
      "bad-host",
      sentence(text.trim().endsWith(":5432") ? "host-postgres" : "host-bad", {
        text: text.slice(0, 100),
      }),
    );
  return host;
}

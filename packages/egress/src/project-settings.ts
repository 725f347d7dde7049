/** A project's network access, and its server's environment. */
export interface WorkspaceSettings {
  /**
   * Hosts that programs in the sandbox may reach besides the registry: `a.com`, `*.a.com`, each with or without
   * `:port`.
   */
  hosts: readonly string[];
  /** Whether the static hosts may be reached as well (for fonts during a build); default true. */
  staticHosts?: boolean;
  /**
   * A generated app's secret, given to the project's server process alone: `value` as the variable `name`, and `host` as
   * `name` with `_HOST`. The host is reachable as if it were in `hosts`. Values of 6 characters or more are replaced by
   * their names in output, because output is sent to the model.
   */
  secrets: readonly {
    name: string;
    value: string;
    /** Empty if the secret is for no host. */
    host: string;
  }[];
  /**
   * Public address of the published app, without a trailing slash: its server receives it as
   * `APP_URL`.
   */
  address?: string;
}

export const NO_SETTINGS: WorkspaceSettings = { hosts: [], secrets: [] };

/** All hosts that a project may reach: those of its list and those of its secrets. */
export function reachableHosts({
  hosts,
  secrets,
}: {
  hosts: readonly string[];
  secrets: readonly { host: string }[];
}): string[] {
  const own = secrets.map(({ host }) => host).filter((host) => host !== "");
  return [...new Set([...hosts, ...own])];
}

/** The hosts that a project's sandbox may reach. */
export interface Reachable {
  hosts: readonly string[];
  /** Whether the static hosts are included, read-only. */
  staticHosts: boolean;
}

export const reachableOf = (settings: WorkspaceSettings): Reachable => ({
  hosts: reachableHosts(settings),
  staticHosts: settings.staticHosts ?? true,
});

/** Variables set by the sandbox itself: other values would break or bypass it. */
const SANDBOX_VARIABLE =
  /^(PATH|HOME|USER|SHELL|PWD|TERM|LANG|IFS|ENV|BASH_.*|LD_.*|NODE_OPTIONS|NODE_USE_ENV_PROXY|(HTTPS?|ALL|NO)_PROXY|TREADLE_.*|npm_config_.*)$/i;

/** Whether a variable is the sandbox's own, so that no secret may have its name. */
export const isSandboxVariable = (name: string): boolean => SANDBOX_VARIABLE.test(name);

/**
 * The environment of the project's server: for each secret `KEY`, and `KEY_HOST` with its host; and
 * `APP_URL` with the published address, unless a secret has that name.
 */
export function serverEnvironment({ secrets, address }: WorkspaceSettings): Record<string, string> {
  return Object.fromEntries([
    ...(address === undefined ? [] : [["APP_URL", address] as const]),
    ...secrets.flatMap(({ name, host }) => (host === "" ? [] : [[`${name}_HOST`, host] as const])),
    // Last: a secret has precedence over another one's host variable.
    ...secrets.map(({ name, value }) => [name, value] as const),
  ]);
}

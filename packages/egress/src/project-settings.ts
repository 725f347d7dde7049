/** What a project may reach, and what its server is given. */
export interface WorkspaceSettings {
  /** Hosts that what runs inside may reach besides the registry: `a.com`, `*.a.com`, each with `:port` or without. */
  hosts: readonly string[];
  /** Whether the static hosts may be asked as well (fonts while an app is built); default true. */
  staticHosts?: boolean;
  /**
   * A generated app's secret, given to the project's server process alone: `value` as the variable `name`, and `host` as
   * `name` with `_HOST`. The host is reachable as if it were in `hosts`. Values of 6 characters or more are replaced by
   * their names in output, because output is sent to the model.
   */
  secrets: readonly {
    name: string;
    value: string;
    /** Empty: it is for none. */
    host: string;
  }[];
  /** Where people find what is published, without a final slash: its server has it as `APP_URL`. */
  address?: string;
}

export const NO_SETTINGS: WorkspaceSettings = { hosts: [], secrets: [] };

/** Every host that a project may reach: those of its list, and those that its secrets are for, if they are for one. */
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

/** What may be reached from a project's sandbox. */
export interface Reachable {
  hosts: readonly string[];
  /** The static hosts as well, for questions alone. */
  staticHosts: boolean;
}

export const reachableOf = (settings: WorkspaceSettings): Reachable => ({
  hosts: reachableHosts(settings),
  staticHosts: settings.staticHosts ?? true,
});

/** Variables that the sandbox itself sets: another value would break it, or lead past it. */
const SANDBOX_VARIABLE =
  /^(PATH|HOME|USER|SHELL|PWD|TERM|LANG|IFS|ENV|BASH_.*|LD_.*|NODE_OPTIONS|NODE_USE_ENV_PROXY|(HTTPS?|ALL|NO)_PROXY|TREADLE_.*|npm_config_.*)$/i;

/** Whether a variable is the sandbox's own, so that no secret can have its name. */
export const isSandboxVariable = (name: string): boolean => SANDBOX_VARIABLE.test(name);

/**
 * What the project's server finds in its environment: `KEY`, in `KEY_HOST` the host that it is for, and in `APP_URL` where
 * it is published, unless a secret of that name says otherwise.
 */
export function serverEnvironment({ secrets, address }: WorkspaceSettings): Record<string, string> {
  return Object.fromEntries([
    ...(address === undefined ? [] : [["APP_URL", address] as const]),
    ...secrets.flatMap(({ name, host }) => (host === "" ? [] : [[`${name}_HOST`, host] as const])),
    // Last: a secret that is named like another one's host counts itself.
    ...secrets.map(({ name, value }) => [name, value] as const),
  ]);
}

/** How a server takes part in a cluster. */
export interface ClusterSettings {
  /** Where the other servers reach this one: `http://host:port`, on a network that only they are on. */
  address: string;
  /** The secret that all servers share. */
  secret: string;
  /** How long a server may be silent before its projects are taken over, in milliseconds. */
  leaseMs: number;
}

const LEASE_SECONDS = { default: 15, least: 1, most: 600 };
/** Minimum length of the secret, in characters. */
const SECRET_CHARS = 32;

/**
 * Reads the settings of a server among several; undefined if it has the database alone.
 * @throws Error with a sentence that names the variable
 */
export function readClusterSettings(
  env: Record<string, string | undefined>,
): ClusterSettings | undefined {
  const text = env.TREADLE_CLUSTER_ADDRESS?.trim() ?? "";
  const secret = env.TREADLE_CLUSTER_SECRET?.trim() ?? "";
  if (text === "") return undefined;
  const url = URL.parse(text);
  if (url?.protocol !== "http:" || url.port === "" || url.pathname !== "/" || url.username !== "")
    throw new Error(
      `TREADLE_CLUSTER_ADDRESS is the address at which other servers reach this one, with its port: http://10.0.0.5:4190, not ${JSON.stringify(text)}.`,
    );
  if (secret.length < SECRET_CHARS)
    throw new Error(
      `TREADLE_CLUSTER_SECRET has to have at least ${SECRET_CHARS} characters, the same ones on every server. Make it with: openssl rand -hex 32`,
    );
  if ((env.TREADLE_URL ?? "") === "")
    throw new Error(
      "TREADLE_CLUSTER_ADDRESS needs TREADLE_URL: people reach all servers at one address.",
    );
  if ((env.DATABASE_URL ?? "") === "")
    throw new Error(
      "TREADLE_CLUSTER_ADDRESS needs DATABASE_URL: several servers share a PostgreSQL database.",
    );
  return {
    address: url.origin,
    secret,
    leaseMs: readLeaseSeconds(env.TREADLE_LEASE_SECONDS) * 1000,
  };
}

function readLeaseSeconds(value: string | undefined): number {
  const text = value?.trim() ?? "";
  if (text === "") return LEASE_SECONDS.default;
  const seconds = Number(text);
  if (!(seconds >= LEASE_SECONDS.least && seconds <= LEASE_SECONDS.most))
    throw new Error(
      `TREADLE_LEASE_SECONDS is a number from ${LEASE_SECONDS.least} to ${LEASE_SECONDS.most}, not ${JSON.stringify(value)}.`,
    );
  return seconds;
}

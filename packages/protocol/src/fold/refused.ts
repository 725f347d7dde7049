/** Maximum number of listed hosts. */
const KEPT = 20;

/** A host that the app or a command could not reach. */
export interface RefusedHost {
  host: string;
  /** Only what is `not-allowed` can be allowed. */
  reason: "not-allowed" | "address" | "no-name" | "registry" | "not-named" | "unreached";
  times: number;
}

/** Adds a refusal; the newest host is last. */
export function addRefused(
  known: readonly RefusedHost[],
  {
    host,
    reason = "not-allowed",
    count = 1,
  }: Partial<Pick<RefusedHost, "reason">> & { host: string; count?: number },
): RefusedHost[] {
  const before = known.find((one) => one.host === host)?.times ?? 0;
  const others = known.filter((one) => one.host !== host);
  return [...others, { host, reason, times: before + count }].slice(-KEPT);
}

/** The hosts that are still refused with this list of allowed hosts. */
export function stillRefused(
  known: readonly RefusedHost[],
  allowed: readonly string[],
): readonly RefusedHost[] {
  const left = known.filter(({ host, reason }) =>
    reason !== "not-allowed" ? true : !allowed.some((entry) => covers(entry, host)),
  );
  return left.length === known.length ? known : left;
}

/** Whether an entry of the list covers a host, which settles the question. Only the server decides what is allowed. */
function covers(entry: string, host: string): boolean {
  if (!entry.startsWith("*.")) return entry === host;
  return host.endsWith(entry.slice(1));
}

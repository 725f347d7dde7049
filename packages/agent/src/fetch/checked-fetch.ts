import { isIP } from "node:net";

/** The addresses of a host that may be connected to. Rejects if the host may not be reached. */
export type AddressesOf = (host: string) => Promise<string[]>;

/**
 * `fetch` that connects only to addresses that `addressesOf` has approved. Each new connection, also after a redirect,
 * looks the host up once and connects to that address (A67), so a resolver that changes its answer has no effect.
 */
export function checkedFetch(addressesOf: AddressesOf): typeof fetch {
  let opening: Promise<typeof fetch> | undefined;
  return async (input, init) => {
    if (process.env.NODE_USE_ENV_PROXY === "1") return throughProxy(addressesOf, input, init);
    return (await (opening ??= open(addressesOf)))(input, init);
  };
}

/**
 * Sends the request through this machine's proxy, which resolves names itself. The addresses known here are checked,
 * and redirects are not followed.
 */
async function throughProxy(
  addressesOf: AddressesOf,
  ...[input, init]: Parameters<typeof fetch>
): Promise<Response> {
  const { hostname } = new URL(input instanceof Request ? input.url : input);
  await addressesOf(hostname).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTFOUND" && error.code !== "EAI_AGAIN") throw error;
  });
  return fetch(input, { ...init, redirect: "error" });
}

async function open(addressesOf: AddressesOf): Promise<typeof fetch> {
  // Loaded lazily: without a tool server at an address, it is not needed.
  const { Agent, buildConnector, fetch: ask } = await import("undici");
  const connect = buildConnector({
    lookup(host, { all }, answer) {
      addressesOf(host).then(
        (addresses) => {
          const found = addresses.map((address) => ({ address, family: isIP(address) }));
          if (all) answer(null, found);
          else answer(null, found[0]!.address, found[0]!.family);
        },
        (error: Error) => answer(error, "", 4),
      );
    },
  });
  const dispatcher = new Agent({
    connect(options, callback) {
      const literal = options.hostname.replace(/^\[(.*)\]$/, "$1");
      // A literal IP address is not passed to `lookup`, so it is checked here.
      if (isIP(literal) === 0) return connect(options, callback);
      addressesOf(literal).then(
        () => connect(options, callback),
        (error: Error) => callback(error, null),
      );
    },
  });
  const checked = (input: string | URL, init: object | undefined) =>
    ask(input, { ...init, dispatcher });
  return checked as unknown as typeof fetch;
}

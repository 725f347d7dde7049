import { isIP } from "node:net";

/** The addresses of a host that may be connected to. Rejects where it may not be reached. */
export type AddressesOf = (host: string) => Promise<string[]>;

/**
 * `fetch` that connects to addresses that were looked at and to no others: a host is looked up once for the look and the
 * connection, each time that one is opened, and so is every host that it is sent on to (A67). A resolver that changes its
 * answer changes nothing.
 */
export function checkedFetch(addressesOf: AddressesOf): typeof fetch {
  let opening: Promise<typeof fetch> | undefined;
  return async (input, init) => {
    if (process.env.NODE_USE_ENV_PROXY === "1") return throughProxy(addressesOf, input, init);
    return (await (opening ??= open(addressesOf)))(input, init);
  };
}

/** A proxy of this machine looks names up itself. What is known of them here is looked at, and nothing is followed. */
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
  // Nobody without a tool server at an address pays for it.
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
      // What is an address already is looked up by nobody.
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

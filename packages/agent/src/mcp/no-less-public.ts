import { AddressRefused, publicAddresses, type Resolve } from "@treadle/workspace";
import { McpError } from "./types.ts";

/**
 * `fetch` for what a server names as its own: where it signs people in, and what that names in turn. A server of the
 * internet can name nothing of this machine or its network (A39), also not by a name that stands for it; one of the
 * network may.
 */
export function noLessPublic(
  server: string,
  fetchFn: typeof fetch = fetch,
  resolve?: Resolve,
): typeof fetch {
  const own = new URL(server);
  let isPublic: Promise<boolean> | undefined;
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== own.origin) {
      isPublic ??= stands(own.hostname, resolve);
      if ((await isPublic) && !(await stands(url.hostname, resolve)))
        throw new McpError(
          "failed",
          `It names ${url.host}, which is no public address: nothing was sent there.`,
        );
    }
    return fetchFn(input, init);
  };
}

async function stands(hostname: string, resolve: Resolve | undefined): Promise<boolean> {
  try {
    await publicAddresses(hostname, resolve);
    return true;
  } catch (error) {
    if (error instanceof AddressRefused) return false;
    throw error;
  }
}

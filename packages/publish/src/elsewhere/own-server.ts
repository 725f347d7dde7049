import type { Place } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { Sending } from "./target.ts";

/**
 * Parses the address of a person's own server, without a path.
 * @throws ApiFailure 400 `bad-place`
 */
export function serverOf({ server = "" }: Place): URL {
  const url = URL.parse(server.includes("://") ? server : `https://${server}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.pathname !== "/")
    throw new ApiFailure(
      400,
      "bad-place",
      sentence("place-invalid", { text: server, kind: "server" }),
    );
  return url;
}

/** The name under which a server's token is stored, different for each host. */
export function tokenOf(kind: string, place: Place): string {
  const text = place.server ?? "";
  const host = URL.parse(text.includes("://") ? text : `https://${text}`)?.host;
  return `${kind}:${host ?? ""}`;
}

/** The same environment, with the API's address on the server that the person named. */
export const atServer = (sending: Sending, path: string): Sending => ({
  ...sending,
  origin: () => ({
    url: `${serverOf(sending.place).origin}${path}`,
    local: sending.place.local === true,
  }),
});

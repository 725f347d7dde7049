import type { IncomingMessage } from "node:http";

/**
 * Whether a request names one host, or none. Of two, Node reads the first and whoever stands in front may have read the
 * other: it is answered by neither (RFC 9112, 3.2).
 */
export function namesOneHost({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts <= 1;
}

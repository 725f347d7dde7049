import type { IncomingMessage } from "node:http";

/**
 * Whether a request names at most one host. If it names two, Node reads the first and a proxy in front may have read the
 * other, so it is refused (RFC 9112, 3.2).
 */
export function namesOneHost({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts <= 1;
}

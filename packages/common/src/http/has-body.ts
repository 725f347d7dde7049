import type { IncomingMessage } from "node:http";

/** Whether a request has a body to wait for: one is told of (RFC 9112, 6), and has a length. */
export const hasBody = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;

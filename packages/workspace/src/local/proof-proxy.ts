import { PROXY_PORT } from "@treadle/egress";

/** Path in the sandbox of the socket of a proof's own proxy. */
export const PROOF_SOCKET = "/run/sbx/proxy.sock";

/**
 * Node source of a program that offers the proof's proxy on a port of its loopback. It prints a
 * line once it listens, and ends with the sandbox.
 */
export const PROOF_WAY = `
const { connect, createServer } = require("node:net");
createServer({ allowHalfOpen: true }, (inbound) => {
  const outbound = connect({ path: ${JSON.stringify(PROOF_SOCKET)}, allowHalfOpen: true });
  const end = () => { inbound.destroy(); outbound.destroy(); };
  for (const side of [inbound, outbound]) side.on("error", end).on("close", end);
  inbound.pipe(outbound).pipe(inbound);
}).listen(${PROXY_PORT}, "127.0.0.1", () => process.stdout.write("ready\\n"));
process.stdout.on("error", () => {});
`;

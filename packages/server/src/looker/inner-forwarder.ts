/**
 * What runs inside the browser's sandbox, as text for Node: it offers the proxy's socket as a port on the sandbox's own
 * loopback, and then starts the browser, whose pipe to its driver are the inherited descriptors 3 and 4.
 * Arguments: the socket, the executable, the browser's own.
 */
export const INNER_FORWARDER = `
import { connect, createServer } from "node:net";
import { spawn } from "node:child_process";

const [socket, executable, ...args] = process.argv.slice(2);
const server = createServer({ allowHalfOpen: true }, (inbound) => {
  const outbound = connect({ path: socket, allowHalfOpen: true });
  const end = () => {
    inbound.destroy();
    outbound.destroy();
  };
  for (const side of [inbound, outbound]) side.on("error", end).on("close", end);
  inbound.pipe(outbound);
  outbound.pipe(inbound);
});
server.listen(0, "127.0.0.1", () => {
  const proxy = "--proxy-server=http://127.0.0.1:" + server.address().port;
  const browser = spawn(executable, [...args, proxy], {
    stdio: ["ignore", "inherit", "inherit", 3, 4],
  });
  browser.on("error", (error) => {
    process.stderr.write(error.message + "\\n");
    process.exit(127);
  });
  browser.on("exit", (code) => process.exit(code ?? 1));
});
`;

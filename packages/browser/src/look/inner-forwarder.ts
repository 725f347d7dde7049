/**
 * Maximum number of parallel looks, each with its own network access. All belong to one project:
 * pages of two projects never share a browser, in which an escaped page could reach the other.
 */
export const LOOKS = 3;
/**
 * The port of the first look inside the sandbox, followed by those of the others. The sandbox has
 * its own network namespace.
 */
const FIRST_PORT = 9_001;

/** The name of a look's socket, and its path inside. */
export const lookSocket = (index: number) => `proxy-${index}.sock`;
export const lookPort = (index: number) => FIRST_PORT + index;

/**
 * The Node program inside the browser's sandbox: it offers the sockets of the looks as ports on the sandbox's loopback,
 * and then starts the browser, whose driver pipe is the inherited descriptors 3 and 4. Arguments: the sockets' folder,
 * the executable, then those of the browser.
 */
export const INNER_FORWARDER = `
import { connect, createServer } from "node:net";
import { spawn } from "node:child_process";

const [folder, executable, ...args] = process.argv.slice(2);
const forward = (socket, port) => new Promise((done) => createServer({ allowHalfOpen: true }, (inbound) => {
  const outbound = connect({ path: folder + "/" + socket, allowHalfOpen: true });
  const end = () => {
    inbound.destroy();
    outbound.destroy();
  };
  for (const side of [inbound, outbound]) side.on("error", end).on("close", end);
  inbound.pipe(outbound);
  outbound.pipe(inbound);
}).listen(port, "127.0.0.1", done));
const ways = ${JSON.stringify(Array.from({ length: LOOKS }, (_, index) => [lookSocket(index), lookPort(index)]))};
await Promise.all(ways.map(([socket, port]) => forward(socket, port)));
const browser = spawn(executable, args, { stdio: ["ignore", "inherit", "inherit", 3, 4] });
browser.on("error", (error) => {
  process.stderr.write(error.message + "\\n");
  process.exit(127);
});
browser.on("exit", (code) => process.exit(code ?? 1));
`;

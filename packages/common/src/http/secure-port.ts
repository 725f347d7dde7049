import type { Duplex } from "node:stream";
import { connect, type TLSSocket } from "node:tls";

/** Time limit of a handshake, in milliseconds. */
const GREETING_MS = 3_000;

/**
 * TLS over a connection to a port of a sandbox. Its certificate does not matter: only the sandbox
 * is in between, and development servers use self-signed ones.
 */
export function overTls(socket: Duplex): TLSSocket {
  const secure = connect({
    socket,
    servername: "localhost",
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: false,
  });
  socket.on("error", (error) => secure.destroy(error));
  // On a stream that is not a socket, such as a container's, Node emits an error twice, and the first handler is
  // already removed.
  secure.on("error", () => undefined);
  return secure;
}

/**
 * Whether a server on a port uses TLS, like `vite --https`. Checked if plain HTTP gets no response.
 */
export async function speaksTls(open: () => Promise<Duplex>): Promise<boolean> {
  const socket = await open().catch(() => undefined);
  if (!socket) return false;
  const secure = overTls(socket);
  const spoke = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), GREETING_MS);
    const settle = (does: boolean) => {
      clearTimeout(timer);
      resolve(does);
    };
    secure.once("secureConnect", () => settle(true));
    secure.once("error", () => settle(false)).once("close", () => settle(false));
  });
  secure.destroy();
  socket.on("error", () => undefined).destroy();
  return spoke;
}

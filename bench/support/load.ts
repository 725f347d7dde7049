import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** The address of the requested server. */
export interface Place {
  port: string;
  host: string;
}

/**
 * Requests the first page many times over several connections, each with its next request once it
 * was answered. It does as little per request as wrk and autocannon: Node's own client takes more
 * processor time than an app and the door together, and on two cores it would be what is measured.
 * @returns requests per second
 * @throws Error if an answer is not 200, or has no length
 */
export async function load(place: Place, atOnce: number, count: number): Promise<number> {
  let left = count;
  const isWanted = () => left-- > 0;
  const sockets = await Promise.all(Array.from({ length: atOnce }, () => connected(place)));
  const began = performance.now();
  await Promise.all(sockets.map((socket) => askOver(socket, place, isWanted)));
  return count / ((performance.now() - began) / 1000);
}

async function connected({ port }: Place): Promise<Socket> {
  const socket = connect({ port: Number(port), host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  return socket;
}

function askOver(socket: Socket, { host }: Place, isWanted: () => boolean): Promise<void> {
  const asked = Buffer.from(`GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  return new Promise((resolve, reject) => {
    let isOver: ((piece: Buffer) => boolean) | undefined;
    const next = () => {
      isOver = undefined;
      if (isWanted()) socket.write(asked);
      else socket.end();
    };
    socket.on("error", reject).on("close", () => resolve());
    socket.on("data", (piece: Buffer) => {
      try {
        isOver ??= ending(piece);
        if (isOver(piece)) next();
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
    next();
  });
}

/**
 * Tells for each piece of an answer whether it is the last.
 * @param first contains all of its head
 */
function ending(first: Buffer): (piece: Buffer) => boolean {
  const end = first.indexOf("\r\n\r\n");
  const head = first.toString("latin1", 0, end).toLowerCase();
  if (end === -1 || !head.startsWith("http/1.1 200 ")) throw new Error(`answered with ${head}`);
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  if (length !== undefined) {
    let rest = end + 4 + Number(length);
    return (piece) => (rest -= piece.length) <= 0;
  }
  if (!head.includes("\r\ntransfer-encoding: chunked")) throw new Error("its end cannot be told");
  return (piece) => piece.toString("latin1", piece.length - 5) === "0\r\n\r\n";
}

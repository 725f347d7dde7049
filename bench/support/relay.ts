/**
 * `relay.ts FROM TO`: forwards bytes between two ports of this machine without looking at them. The
 * difference it makes is the cost of one more process here, whatever that does.
 */
import { connect, createServer, type Socket } from "node:net";

const [from, to] = process.argv.slice(2).map(Number);

createServer({ noDelay: true }, (socket) => {
  const onward = connect({ port: to!, host: "127.0.0.1", noDelay: true });
  join(socket, onward);
  join(onward, socket);
}).listen(from, "127.0.0.1");

function join(one: Socket, other: Socket): void {
  one.on("data", (piece) => other.write(piece));
  one.on("error", () => other.destroy()).on("close", () => other.destroy());
}

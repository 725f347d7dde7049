/**
 * `relay.ts FROM TO`: hands bytes from one port of this machine to another and back, and looks at none of them. What is lost
 * by way of it is what one more process costs here, whatever it does.
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

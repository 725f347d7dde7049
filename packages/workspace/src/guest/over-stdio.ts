/**
 * The guest's entry point if no socket of the host can be mounted: in a container, whose engine may
 * run on another machine. Creates the sockets that the guest expects, carries every connection over
 * standard input and output (HTTP/2 multiplexes them so that none blocks another), and then runs
 * the guest.
 */
import { connect } from "node:http2";
import { createServer } from "node:net";
import { Duplex } from "node:stream";
import { LINK_SETTINGS, LINK_WINDOW } from "../wire/link-settings.ts";
import type { GuestConfig } from "../wire/config.ts";
import { join } from "./bridges.ts";

const config = JSON.parse(process.argv[2] ?? "{}") as GuestConfig;
const session = connect("http://host", {
  createConnection: () => Duplex.from({ readable: process.stdin, writable: process.stdout }),
  ...LINK_SETTINGS,
});
// A guest without its host has no purpose; everything in the container ends with it.
session.on("error", () => process.exit(1));
session.on("close", () => process.exit(0));
// A stopped process would not notice that its host is gone. Signals that cannot be handled are refused by the
// container's filter.
for (const signal of ["SIGTSTP", "SIGTTIN", "SIGTTOU"] as const) process.on(signal, () => {});
await new Promise<void>((resolve) => session.once("connect", () => resolve()));
session.setLocalWindowSize(LINK_WINDOW);

for (const name of ["guest.sock", "stream.sock", ...config.ways.map(({ socket }) => socket)]) {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const stream = session.request({ ":method": "POST", ":path": `/${name}` });
    join(socket, stream);
  });
  await new Promise<void>((resolve) => server.listen(`${config.sockets}/${name}`, () => resolve()));
}
await import(new URL("guest.mjs", import.meta.url).href);

import type { Duplex } from "node:stream";

/** Adapts an open connection as pg's client socket. pg asks each of its sockets to connect. */
export function overStream(connection: Duplex): () => Duplex {
  const socket = Object.assign(connection, {
    connect() {
      setImmediate(() => connection.emit("connect"));
      return connection;
    },
    setNoDelay: () => connection,
    setKeepAlive: () => connection,
    ref: () => connection,
    unref: () => connection,
  });
  return () => socket;
}

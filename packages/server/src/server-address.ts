/** The server's address, for parts created before it listens. */
export interface ServerAddress {
  /** Undefined until it listens. */
  port(): number | undefined;
  /** Origin of Treadle's own pages; its port is 0 until the server listens. */
  origin(): string;
  /** Sets the port. */
  listens(port: number): void;
}

/** Creates the address of a server that does not listen yet. */
export function createServerAddress(): ServerAddress {
  let current: number | undefined;
  return {
    port: () => current,
    origin: () => `http://localhost:${current ?? 0}`,
    listens: (port) => void (current = port),
  };
}

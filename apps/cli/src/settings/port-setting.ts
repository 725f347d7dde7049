const DEFAULT_PORT = 4173;

/**
 * Parses `TREADLE_PORT`.
 * @throws Error with a message if it is invalid
 */
export function readPort(text: string | undefined): number {
  if (text === undefined || text === "") return DEFAULT_PORT;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(
    `TREADLE_PORT is “${text}”, which is not a port. Give one such as ${DEFAULT_PORT}, or 0 for any free port.`,
  );
}

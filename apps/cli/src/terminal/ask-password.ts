import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/**
 * Reads a line from standard input; a terminal does not show it while it is typed.
 * @throws Error if the input is empty
 */
export async function askPassword(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  const isThere = stdin.isTTY && stderr.isTTY;
  const terminal = createInterface({
    input: stdin,
    terminal: isThere,
    // On a terminal, the typed line is echoed to this stream instead of the screen.
    output: new Writable({ write: (_chunk, _encoding, done) => done() }),
  });
  if (isThere) stderr.write(prompt);
  try {
    for await (const line of terminal) return line;
    throw new Error("No password came on standard input.");
  } finally {
    terminal.close();
    if (isThere) stderr.write("\n");
  }
}

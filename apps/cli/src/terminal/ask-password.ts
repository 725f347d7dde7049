import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/**
 * A line of standard input, which a person at a terminal does not see as they type.
 * @throws Error where nothing comes
 */
export async function askPassword(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  const isThere = stdin.isTTY && stderr.isTTY;
  const terminal = createInterface({
    input: stdin,
    terminal: isThere,
    // Where it is a terminal, the line that is typed is written here and not to the screen.
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

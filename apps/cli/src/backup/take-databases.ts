import { takeDatabases } from "@treadle/server";
import type { Command } from "../arguments/read-arguments.ts";
import { dataDirectory } from "../folders/data-directory.ts";
import { EXIT } from "../terminal/exit-status.ts";
import { plain } from "../terminal/plain.ts";

/**
 * `treadle doctor --take-databases`: takes over the PostgreSQL databases of a copied folder,
 * because only a person knows whether the original still runs.
 */
export async function takeOver(command: Extract<Command, { kind: "doctor" }>): Promise<number> {
  const { env } = process;
  try {
    const taken = await takeDatabases(env, dataDirectory(command.data, env));
    process.stdout.write(
      taken.length === 0
        ? "No database of its projects belongs to another data folder.\n"
        : `The databases of these projects now belong to this data folder: ${plain(taken.join(", "))}\n`,
    );
    return 0;
  } catch (error) {
    process.stderr.write(`Nothing was taken over: ${plain((error as Error).message)}\n`);
    return EXIT.failed;
  }
}

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "../types.ts";

const MOST = 20;
/** Maximum length of one outcome, in characters. */
const OUTCOME_CHARS = 500;

/** Stores outcomes of proofs in a file of the project's state folder, which is not writable from the sandbox. */
export function keptProofs(
  stateDirectory: string,
): NonNullable<Workspace["proofs"]> & { clear(): void } {
  const file = join(stateDirectory, "proofs.json");
  let outcomes = read(file);
  const write = () => {
    writeFileSync(`${file}.new`, JSON.stringify([...outcomes]));
    renameSync(`${file}.new`, file);
  };
  return {
    clear() {
      if (outcomes.size === 0) return;
      outcomes = new Map();
      write();
    },
    get: (key) => outcomes.get(key),
    set(key, outcome) {
      outcomes.delete(key);
      outcomes = new Map(
        [...outcomes, [key, outcome.slice(0, OUTCOME_CHARS)] as const].slice(-MOST),
      );
      write();
    },
  };
}

function read(file: string): Map<string, string> {
  try {
    const rows = JSON.parse(readFileSync(file, "utf8")) as [string, string][];
    return new Map(
      rows.filter((row) => row.length === 2 && row.every((one) => typeof one === "string")),
    );
  } catch {
    // The file is missing, or was cut by a power failure: proofs are then run again.
    return new Map();
  }
}

import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** Opens a SQLite file that its owner alone can read. The journal files beside it get its permissions. */
export function openFile(path: string): DatabaseSync {
  closeSync(openSync(path, "a", 0o600));
  return new DatabaseSync(path);
}

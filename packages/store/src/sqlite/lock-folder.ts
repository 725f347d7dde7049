import { join } from "node:path";
import { storeError, toStoreError } from "../store-error.ts";
import { makeFolder } from "./make-folder.ts";
import { openFile } from "./open-file.ts";

const LOCK_FILE = "treadle.lock";

/**
 * Makes a data folder if it is missing, and keeps other processes out of it with an exclusive transaction on a file of
 * its own, which the kernel ends with the process.
 * @returns a function that releases the folder
 * @throws StoreError
 */
export function lockFolder(directory: string): () => void {
  try {
    makeFolder(directory);
    const file = openFile(join(directory, LOCK_FILE));
    try {
      file.exec("begin exclusive");
    } catch (error) {
      file.close();
      const failure = toStoreError(error, directory);
      throw failure.code === "busy" ? storeError("busy", directory) : failure;
    }
    return () => file.close();
  } catch (error) {
    throw toStoreError(error, directory);
  }
}

import { join } from "node:path";
import { storeError, toStoreError } from "../store-error.ts";
import { makeFolder } from "./make-folder.ts";
import { openFile } from "./open-file.ts";

const LOCK_FILE = "treadle.lock";

/**
 * Makes a data folder if it is missing, and keeps other processes out of it with an exclusive transaction on a file of
 * its own, which the kernel ends with the process.
 * @param isShared other processes that share the folder may have it open as well
 * @returns a function that releases the folder
 * @throws StoreError
 */
export function lockFolder(directory: string, isShared = false): () => void {
  try {
    makeFolder(directory);
    const file = openFile(join(directory, LOCK_FILE));
    try {
      // Reading takes a shared lock, which the transaction holds until it ends.
      file.exec(isShared ? "begin; select * from sqlite_master" : "begin exclusive");
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

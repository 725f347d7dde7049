import { cp, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { toWorkspaceError } from "./host-error.ts";

/** Path of the checkpoint store in a state folder. */
export const storeFolder = (stateDirectory: string) => join(stateDirectory, "checkpoints.git");

/** Moves a folder of objects into a state folder that has none; the rest of the store is created on first use. */
export async function takeOver(objects: string, stateDirectory: string): Promise<void> {
  try {
    const store = storeFolder(stateDirectory);
    await mkdir(store, { recursive: true, mode: 0o755 });
    const place = join(store, "objects");
    try {
      await rename(objects, place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
      await cp(objects, place, { recursive: true });
      await rm(objects, { recursive: true });
    }
  } catch (error) {
    throw toWorkspaceError(error);
  }
}

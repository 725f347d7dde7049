import { cp } from "node:fs/promises";
import { join } from "node:path";

/** Folders beside a project's files whose own files never change once they are written. */
const FOLDERS = ["pictures", "page-pictures", "outputs", "recordings"];

/**
 * Copies pictures, long outputs and recordings, to which the log refers, from one project to
 * another.
 * @param from,to folders of projects
 */
export async function copyKeptFolders(from: string, to: string): Promise<void> {
  for (const folder of FOLDERS)
    await cp(join(from, folder), join(to, folder), { recursive: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
      },
    );
}

import { createHash } from "node:crypto";
import { join } from "node:path";
import { createTreadle, FOLDERS, type Treadle } from "@treadle/server";
import { dataDirectory } from "./data-directory.ts";
import { folderInPlace } from "./in-place.ts";

/** States of attempts that nothing follows. */
const ENDED: ReadonlySet<string> = new Set(["over", "stopped", "failed"]);

/**
 * The data folder for a personal folder.
 * @param shared Treadle's own data folder
 */
export const stateOfFolder = (directory: string, shared: string): string =>
  join(shared, FOLDERS, createHash("sha256").update(directory).digest("hex").slice(0, 16));

/**
 * Opens a server for one folder of the person's own. Its data (conversation, checkpoints) is stored beside the server's
 * data under a key of the folder, so that the next command in the same folder continues, whether or not a server is
 * running.
 * @param directory absolute
 * @throws Error if the folder must not be mounted in a sandbox, before anything is created or changed
 */
export async function openFolder(
  directory: string,
  options: { data?: string; unsafe: boolean; onNotice: (text: string) => void },
): Promise<Treadle & { url: string }> {
  const shared = dataDirectory(options.data, process.env);
  const place = folderInPlace(directory, shared);
  if ("wrong" in place) throw new Error(`${place.wrong} Nothing was started.`);
  const treadle = await createTreadle({
    dataDirectory: stateOfFolder(directory, shared),
    sharedDirectory: shared,
    unsafeNoSandbox: options.unsafe,
    env: process.env,
    onNotice: options.onNotice,
  });
  process.on("unhandledRejection", treadle.lastResort);
  try {
    // A server resumes runs that a restart interrupted. This command must not: nobody asked for it, and it costs
    // money.
    for (const { id, attempts } of await treadle.comparisons.list())
      if (attempts.some(({ state }) => !ENDED.has(state))) {
        await treadle.comparisons.drop(id);
        options.onNotice("Removed an interrupted comparison from this folder.");
      }
    // The checking browser reaches the app through the preview gateway, which has to listen for
    // that.
    const { url } = await treadle.listen({ host: "127.0.0.1", port: 0 });
    return { ...treadle, url };
  } catch (error) {
    await treadle.close();
    throw error;
  }
}

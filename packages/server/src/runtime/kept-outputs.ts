import { isOutputName, type OutputPort } from "@treadle/agent";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of one output: 300,000 characters in any writing. */
export const OUTPUT_BYTES = 1_000_000;
/** Outputs of a project; the oldest goes for a new one. */
export const OUTPUTS = 50;

/**
 * Long outputs of a project's commands, each a file that is named by its call: what the model reads back of them, also
 * after a restart. A disk that is full leaves the model with head and tail.
 * @param projectFolder the project's, beside its files
 */
export function keptOutputs(projectFolder: string): OutputPort {
  const folder = join(projectFolder, "outputs");

  async function dropOldest(): Promise<void> {
    const names = (await readdir(folder)).filter(isOutputName);
    if (names.length <= OUTPUTS) return;
    const aged = await Promise.all(
      names.map(async (name) => ({
        name,
        at: (await stat(join(folder, name), { bigint: true })).mtimeNs,
      })),
    );
    aged.sort((a, b) => (a.at < b.at ? -1 : 1));
    for (const { name } of aged.slice(0, -OUTPUTS)) await rm(join(folder, name), { force: true });
  }

  return {
    async keep(name, text) {
      if (!isOutputName(name) || Buffer.byteLength(text) > OUTPUT_BYTES) return false;
      const path = join(folder, name);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
        await rename(`${path}.new`, path);
        await dropOldest();
        return true;
      } catch {
        await rm(`${path}.new`, { force: true }).catch(() => undefined);
        return false;
      }
    },
    async read(name) {
      if (!isOutputName(name)) return undefined;
      return readFile(join(folder, name), "utf8").catch(() => undefined);
    },
  };
}

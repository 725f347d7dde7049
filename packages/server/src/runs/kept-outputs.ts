import { isOutputName, type OutputPort } from "@treadle/agent";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dropOldest } from "@treadle/common/drop-oldest";

/** Maximum size of one output, in bytes: 300,000 characters in any script. */
export const OUTPUT_BYTES = 1_000_000;
/** Maximum number of outputs per project; a new one replaces the oldest. */
export const OUTPUTS = 50;

/**
 * Stores long outputs of a project's commands, each in a file named after its call, for the model to read, also
 * after a restart. `save` resolves with `false` if an output cannot be stored; the model then only has its head and
 * tail.
 * @param projectFolder the project's folder beside its files
 */
export function keptOutputs(projectFolder: string): OutputPort {
  const folder = join(projectFolder, "outputs");

  return {
    async save(name, text) {
      if (!isOutputName(name) || Buffer.byteLength(text) > OUTPUT_BYTES) return false;
      const path = join(folder, name);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
        await rename(`${path}.new`, path);
        await dropOldest(folder, OUTPUTS, isOutputName);
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

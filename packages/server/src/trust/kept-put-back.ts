import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Files that are kept by themselves, the newest; older ones are in the history alone. */
const KEPT = 100;

/** Files that were put back, as they had become: by their version, in the project's own folder beside its files. */
export interface KeptPutBack {
  /** @returns whether it could be kept. Never rejects. */
  save(bytes: Uint8Array): Promise<boolean>;
  /** Undefined where it is not kept, or not any more. */
  read(version: string): Promise<Uint8Array | undefined>;
}

export function keptPutBack(projectFolder: string): KeptPutBack {
  const folder = join(projectFolder, "put-back");

  async function forgetOld(): Promise<void> {
    const names = await readdir(folder);
    if (names.length <= KEPT) return;
    const aged = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
    );
    const old = aged.toSorted((a, b) => b.at - a.at).slice(KEPT);
    await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })));
  }

  return {
    async save(bytes) {
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, versionOf(bytes)), bytes);
        await forgetOld().catch(() => undefined);
        return true;
      } catch {
        return false;
      }
    },
    async read(version) {
      if (!/^[0-9a-f]{40}$/.test(version)) return undefined;
      const bytes = await readFile(join(folder, version)).catch(() => undefined);
      // One that was cut off by a full disk is none.
      return bytes && versionOf(bytes) === version ? new Uint8Array(bytes) : undefined;
    },
  };
}

/** As the workspace names a file's content. */
const versionOf = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest("hex");

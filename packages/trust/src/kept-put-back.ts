import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Maximum number of files stored, the newest; older ones are only in the history. */
const KEPT = 100;

/**
 * Stores the changed versions of reverted files, by version, in the project's own folder beside its
 * files.
 */
export interface KeptPutBack {
  /** @returns whether it was stored. Never rejects. */
  save(bytes: Uint8Array): Promise<boolean>;
  /** Undefined if it is not stored, or no longer. */
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
      // A file truncated by a full disk is invalid.
      return bytes && versionOf(bytes) === version ? new Uint8Array(bytes) : undefined;
    },
  };
}

/** The version of a content, as computed by the workspace. */
const versionOf = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest("hex");

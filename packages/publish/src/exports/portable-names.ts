/** Device names reserved by Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?: *\.|$)/i;
/**
 * Path length in characters that Windows accepts by default, minus room for the folder in which it
 * is unpacked.
 */
const PATH_LENGTH = 200;

/**
 * Why a path is not portable, as the end of a sentence; `other`: the file with which it collides.
 */
export interface NameProblem {
  why: string;
  other?: string;
}

/**
 * Finds names in an archive that some system cannot hold or would merge with another name, so that
 * unpacking would silently lose or overwrite a file.
 */
export function createPortableNames() {
  /** The names so far, folded as by a file system that ignores case and Unicode normalisation. */
  const taken = new Map<string, { path: string; isFile: boolean }>();
  return {
    problem(path: string): NameProblem | undefined {
      const parts = path.split("/");
      const known = parts.map((_, at) => {
        const above = parts.slice(0, at + 1).join("/");
        const isFile = at === parts.length - 1;
        const key = keyOf(above);
        const other = taken.get(key);
        if (!other) taken.set(key, { path: above, isFile });
        return other && (other.isFile || isFile) ? other : undefined;
      });
      const same = known.find((one) => one !== undefined);
      if (same) {
        const why = `where case does not count it is the same as ${same.path}`;
        return same.isFile ? { why, other: same.path } : { why };
      }
      const why = unheld(path, parts);
      return why === undefined ? undefined : { why };
    },
    /** A name at the root that no other file in the archive has so far. */
    free(name: string, ending = ""): string {
      let found = name + ending;
      for (let count = 2; taken.has(keyOf(found)); count++) found = `${name}-${count}${ending}`;
      return found;
    },
  };
}

/** A name that every system accepts, by which the file can still be recognised. */
export function plainName(path: string, number: number): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return `${number}-${name
    .replaceAll(/[^\w.-]+/g, "_")
    .slice(-100)
    .replace(/[.]$/, "_")}`;
}

const keyOf = (path: string) => path.normalize("NFKC").toLowerCase();

function unheld(path: string, parts: readonly string[]): string | undefined {
  if (parts.some((part) => DEVICE.test(part))) return "Windows keeps the name for a device";
  if (parts.some((part) => /[. ]$/.test(part)))
    return "Windows drops the dot or space at the end of the name";
  // oxlint-disable-next-line no-control-regex -- control characters are among them
  if (/[<>:"|?*\u0000-\u001f]/.test(path)) return "Windows has no such characters in names";
  return path.length > PATH_LENGTH ? "it is longer than Windows takes" : undefined;
}

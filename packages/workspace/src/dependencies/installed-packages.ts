import { createHash } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { lstat, readFile, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** Number of files read at once. */
const AT_ONCE = 16;
/** Larger files, in bytes, are read in pieces. */
const WHOLE_BYTES = 4 * 1024 * 1024;
/**
 * Upper limit of the apparent size of all files: an install script can create a sparse file of a
 * terabyte.
 */
const ALL_BYTES = 4 * 1024 * 1024 * 1024;
/** A package.json larger than this, in bytes, is not read and counts as having scripts; real ones are much smaller. */
const MAX_MANIFEST = 4 * 1024 * 1024;
/** Folders in which some managers store the packages themselves. */
const STORES = [".pnpm", ".bun"];
/** Node's compile cache, which is executed without verification. */
const CACHE = ".cache";

/**
 * Content of a node_modules by path: kind and mode, and the digest of a file or the target of a
 * link.
 */
export type ModulesContents = ReadonlyMap<string, string>;

/** Packages with programs that a manager runs when it installs them, as folders below `modules`. */
export async function scriptedPackages(modules: string): Promise<Set<string>> {
  const scripted = new Set<string>();
  for (const place of await packagePlaces(modules))
    if (await runsScripts(join(modules, place))) scripted.add(place);
  return scripted;
}

async function runsScripts(folder: string): Promise<boolean> {
  const file = join(folder, "package.json");
  if (((await lstat(file).catch(() => undefined))?.size ?? 0) > MAX_MANIFEST) return true;
  try {
    const { scripts } = JSON.parse(await readFile(file, "utf8")) as { scripts?: object };
    if (["preinstall", "install", "postinstall"].some((name) => Object.hasOwn(scripts ?? {}, name)))
      return true;
  } catch {
    // Something that is not a package to us may still be one to its manager.
  }
  return (await lstat(join(folder, "binding.gyp")).catch(() => undefined)) !== undefined;
}

/** Every package below a node_modules, including nested ones. */
async function packagePlaces(modules: string, below = ""): Promise<string[]> {
  const places: string[] = [];
  for (const { name, path } of await folders(modules, below)) {
    if (STORES.includes(name))
      for (const one of await folders(modules, path))
        places.push(...(await packagePlaces(modules, `${one.path}/node_modules`)));
    if (name.startsWith(".")) continue;
    const here = name.startsWith("@") ? await folders(modules, path) : [{ path }];
    for (const { path: place } of here)
      places.push(place, ...(await packagePlaces(modules, `${place}/node_modules`)));
  }
  return places;
}

async function folders(modules: string, below: string) {
  const entries = await readdir(join(modules, below), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, path: below === "" ? name : `${below}/${name}` }));
}

/**
 * Reads everything, or returns undefined if it is too large. Call only while nothing runs that
 * could change it. Follows no links.
 */
export async function readContents(modules: string): Promise<ModulesContents | undefined> {
  const files: { path: string; stat: Stats }[] = [];
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(modules, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (path === CACHE) continue;
      if (entry.isDirectory()) await walk(path);
      else files.push({ path, stat: await lstat(join(modules, path)) });
    }
  };
  await walk("");
  const size = files.reduce((sum, { stat }) => sum + (stat.isFile() ? stat.size : 0), 0);
  if (size > ALL_BYTES) return undefined;
  const contents = new Map<string, string>();
  const next = files.values();
  const work = async () => {
    for (const { path, stat } of next)
      contents.set(path, await describe(join(modules, path), stat));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return contents;
}

async function describe(file: string, stat: Stats): Promise<string> {
  if (stat.isSymbolicLink()) return `link ${await readlink(file)}`;
  if (!stat.isFile()) return "neither file nor link";
  const hash = createHash("sha256");
  if (stat.size <= WHOLE_BYTES) hash.update(await readFile(file));
  else await pipeline(createReadStream(file), hash);
  return `${(stat.mode & 0o7777).toString(8)} ${hash.digest("base64")}`;
}

/**
 * The first difference outside the packages in `scripted`, or undefined if install scripts only wrote to their own
 * folders. New files in dot-folders beside the packages, except `.bin`, are allowed as well: some scripts generate code
 * there.
 */
export function meddledWith(
  before: ModulesContents,
  after: ModulesContents,
  scripted: ReadonlySet<string>,
): string | undefined {
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(path) === after.get(path)) continue;
    const { place, isDotted } = packageAt(path);
    if (scripted.has(place) || (isDotted && place !== ".bin" && !before.has(path))) continue;
    return path;
  }
  return undefined;
}

/** The innermost package that contains a file, or the file's own top-level entry. */
function packageAt(path: string): { place: string; isDotted: boolean } {
  const at = path.lastIndexOf("/node_modules/");
  const base = at < 0 ? "" : path.slice(0, at + "/node_modules/".length);
  const [first = "", second = ""] = path.slice(base.length).split("/");
  const name = first.startsWith("@") ? `${first}/${second}` : first;
  return { place: base + name, isDotted: first.startsWith(".") };
}

/**
 * Finds the files that a project's sources import: by an import in any form, an HTML attribute, a
 * `url()` in CSS, or a glob of a folder. Opening a file by name is not an import, because that is
 * how a program reads its data.
 */

/** Extensions of files that can contain imports. */
const TEXT =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|marko|x?html?|s?css|sass|less|styl|p(?:ost)?css|mdx?|ejs|hbs|pug|njk|liquid)$/i;
/** Maximum size of a file that is parsed, in bytes: a longer one was not written by hand. */
export const TEXT_BYTES = 1024 * 1024;
/** Maximum number of imports recorded for one file. */
const PLACES_LIMIT = 2_000;

/** A keyword that imports something, and the text up to the closing quote. */
const BRINGS =
  /(?:\b(?:from|import|require|src|href|url|URL|use|forward|glob|globEager|context|resolve)\s{0,20}(?:[:=(]\s{0,20}[{[]?\s{0,20})?["'`(]["'`]?)([^"'`()\n]{1,300})/g;

export const mayBringIn = (path: string): boolean => TEXT.test(path);

/** Paths that a text imports, as written; leaves out packages, full addresses and single names. */
export function placesIn(text: string): string[] {
  const found = new Set<string>();
  for (const [, spelled = ""] of text.matchAll(BRINGS)) {
    const place = spelled.trim().replace(/[?#].*$/, "");
    if (!place.includes("/") || /^[a-z][a-z\d+.-]*:|^\/\//i.test(place)) continue;
    found.add(place);
    if (found.size === PLACES_LIMIT) break;
  }
  return [...found];
}

/** Imported files and folders, among those that would otherwise be left out. */
export interface BroughtIn {
  has(path: string): boolean;
  /** Whether one of them may be below a folder. */
  hasBelow(folder: string): boolean;
  /** Equal for equal content. */
  key: string;
}

/** A path without its extension, and without the `.d` of declarations. */
const stemOf = (path: string): string => path.replace(/(?:\.d)?\.[^./]+$/, "");

/**
 * Finds which left-out files are imported.
 * @param places imported paths as written, by the source's path
 * @param leftOut files and folders, only the outermost ones
 */
export function findBroughtIn(
  places: ReadonlyMap<string, readonly string[]>,
  leftOut: ReadonlySet<string>,
): BroughtIn {
  const byName = new Map<string, string[]>();
  for (const path of leftOut) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    for (const key of new Set([name, stemOf(name)])) {
      const paths = byName.get(key);
      if (paths) paths.push(path);
      else byName.set(key, [path]);
    }
  }
  const files = new Set<string>();
  const folders = new Set<string>();
  const add = (target: string) => {
    const star = target.search(/[*{[]/);
    if (star === -1) files.add(target).add(stemOf(target));
    else folders.add(target.slice(0, target.lastIndexOf("/", star)));
  };
  const isLeftOut = (path: string): boolean => {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
      if (leftOut.has(path.slice(0, end))) return true;
    return false;
  };
  for (const [source, spelled] of places)
    for (const place of spelled) {
      if (place.startsWith("./") || place.startsWith("../")) {
        const target = joined(source, place);
        if (target === undefined) continue;
        if (isLeftOut(target) || (byName.size > 0 && isFileLeftOut(target, byName))) add(target);
        continue;
      }
      // Relative to the root, to a folder served as the root, or to an alias: only the rest of the
      // path counts.
      const names = place.split("/").filter(Boolean);
      for (const [index, name] of names.entries())
        for (const path of byName.get(name) ?? byName.get(stemOf(name)) ?? []) {
          if (!isBelow(path, names.slice(0, index))) continue;
          const rest = names.slice(index + 1);
          add(rest.length === 0 ? path : `${path}/${rest.join("/")}`);
        }
    }
  const above = new Set<string>();
  for (const path of [...files, ...folders])
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
      above.add(path.slice(0, end));
  const inFolder = (path: string): boolean => {
    if (folders.size > 0)
      for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
        if (folders.has(path.slice(0, end))) return true;
    return false;
  };
  return {
    key: JSON.stringify([[...files].toSorted(), [...folders].toSorted()]),
    has(path) {
      if (files.size === 0 && folders.size === 0) return false;
      const stem = stemOf(path);
      return (
        files.has(path) ||
        files.has(stem) ||
        (stem.endsWith("/index") && files.has(stem.slice(0, -"/index".length))) ||
        inFolder(path)
      );
    },
    // A path may name a folder, whose index is imported then.
    hasBelow: (folder) => above.has(folder) || files.has(folder) || inFolder(folder),
  };
}

/** The project-relative path of a relative import; undefined outside of the project. */
function joined(source: string, place: string): string | undefined {
  const names = source.split("/").slice(0, -1);
  for (const name of place.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.join("/");
}

/** Whether an import may refer to a single file that is otherwise left out, with any extension. */
function isFileLeftOut(target: string, byName: ReadonlyMap<string, readonly string[]>): boolean {
  const name = target.slice(target.lastIndexOf("/") + 1);
  const found = [...(byName.get(name) ?? []), ...(byName.get(stemOf(name)) ?? [])];
  return found.some((path) => path === target || stemOf(path) === stemOf(target));
}

/** Whether the folders in an import match those of a path; the first may be an alias. */
function isBelow(path: string, names: readonly string[]): boolean {
  const folders = path.split("/").slice(0, -1);
  const fits = (requested: readonly string[]) =>
    requested.length <= folders.length &&
    requested.every((name, index) => folders[folders.length - requested.length + index] === name);
  return fits(names) || (names.length > 0 && /^[@~#$]/.test(names[0]!) && fits(names.slice(1)));
}

/** Names that backslashes part, as on Windows; where a slash stands, too, a backslash is something else. */
const BACKSLASHES = /^[^\\/:]+(?:\\[^\\/:]+)+$/;

/** A path without what models put around it between tags: white space, backticks, quotes, stars; with slashes, also where it has Windows' own. */
export function meantPath(written: string): string {
  const path = written
    .trim()
    .replace(/^(["'`]|\*\*)(.+)\1$/, "$2")
    .trim();
  return BACKSLASHES.test(path) ? path.replaceAll("\\", "/") : path;
}

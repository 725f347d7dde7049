/**
 * Names separated by backslashes, as on Windows; beside a slash, a backslash has another meaning.
 */
const BACKSLASHES = /^[^\\/:]+(?:\\[^\\/:]+)+$/;

/**
 * Removes what models put around a path in tags: white space, backticks, quotes, asterisks;
 * converts Windows separators to slashes.
 */
export function meantPath(written: string): string {
  const path = written
    .trim()
    .replace(/^(["'`]|\*\*)(.+)\1$/, "$2")
    .trim();
  return BACKSLASHES.test(path) ? path.replaceAll("\\", "/") : path;
}

/** A path without what models put around it between tags: white space, backticks, quotes. */
export function meantPath(written: string): string {
  return written
    .trim()
    .replace(/^(["'`])(.+)\1$/, "$2")
    .trim();
}

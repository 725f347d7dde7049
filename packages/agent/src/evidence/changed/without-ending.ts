/** The path of a source file without its ending. */
export const withoutEnding = (path: string): string =>
  path.replace(/\.(?:[cm]?[jt]sx?|vue|svelte)$/, "");

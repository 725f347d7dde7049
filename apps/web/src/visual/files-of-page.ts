import type { ProjectPath } from "@treadle/protocol";

/** The HTML file for a path of a static site, or else the root's `index.html`; undefined if there is neither. */
export function documentOf(
  address: string,
  files: readonly ProjectPath[],
): ProjectPath | undefined {
  const plain = decoded(address).replace(/^\/|\/$/g, "");
  const names = plain === "" ? ["index.html"] : [plain, `${plain}.html`, `${plain}/index.html`];
  const candidates = ["", "public/", "src/", "static/"].flatMap((folder) =>
    names.map((name) => folder + name),
  );
  // A single-page app serves all its URLs from one page.
  return (
    files.find((path) => candidates.includes(path) && path.endsWith(".html")) ??
    files.find((path) => path === "index.html")
  );
}

/** Decodes a URL's path. Returns it unchanged if it is malformed, since it comes from the page. */
function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

/** The file of a style sheet, from the name that the page reports; undefined if the project has no such file. */
export function sheetOf(file: string, files: readonly ProjectPath[]): ProjectPath | undefined {
  const plain = file
    .replace(/[?#].*$/, "")
    .replace(/^.*\/home\/project\//, "")
    .replace(/^\//, "");
  return ["", "public/", "static/", "src/"]
    .map((folder) => files.find((path) => path === folder + plain))
    .find((path) => path !== undefined);
}

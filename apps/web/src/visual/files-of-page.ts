import type { ProjectPath } from "@treadle/protocol";

/** The file for a URL of a static site. */
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

/** The URL comes from the page and may be malformed. */
function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

/** The file of a style sheet, from the name that the page reports. */
export function sheetOf(file: string, files: readonly ProjectPath[]): ProjectPath | undefined {
  const plain = file
    .replace(/[?#].*$/, "")
    .replace(/^.*\/home\/project\//, "")
    .replace(/^\//, "");
  return ["", "public/", "static/", "src/"]
    .map((folder) => files.find((path) => path === folder + plain))
    .find((path) => path !== undefined);
}

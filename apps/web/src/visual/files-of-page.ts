import type { ProjectPath } from "@treadle/protocol";

/** The file that an address of a site of plain files is. */
export function documentOf(
  address: string,
  files: readonly ProjectPath[],
): ProjectPath | undefined {
  const plain = decoded(address).replace(/^\/|\/$/g, "");
  const names = plain === "" ? ["index.html"] : [plain, `${plain}.html`, `${plain}/index.html`];
  const candidates = ["", "public/", "src/", "static/"].flatMap((folder) =>
    names.map((name) => folder + name),
  );
  // One page serves all addresses of an app that makes them itself.
  return (
    files.find((path) => candidates.includes(path) && path.endsWith(".html")) ??
    files.find((path) => path === "index.html")
  );
}

/** The page says the address, and it may be none. */
function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

/** The file of a style sheet, as the page names it. */
export function sheetOf(file: string, files: readonly ProjectPath[]): ProjectPath | undefined {
  const plain = file
    .replace(/[?#].*$/, "")
    .replace(/^.*\/home\/project\//, "")
    .replace(/^\//, "");
  return ["", "public/", "static/", "src/"]
    .map((folder) => files.find((path) => path === folder + plain))
    .find((path) => path !== undefined);
}

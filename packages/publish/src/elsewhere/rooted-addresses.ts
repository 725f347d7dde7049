import { readSite } from "./site-files.ts";

/** Files that name others by their addresses. */
const NAMES_OTHERS = /\.(?:html|css|js|mjs|svg|json|webmanifest)$/;
const ROOTED = /["'(=]\/(?!\/)([^"'()\s?#<>]{1,300})/g;

/**
 * The first address in a site that begins at the root of its host and is a file of the site: below a path, as on the pages of
 * a project, nobody finds it.
 */
export async function rootedAddress(
  folder: string,
): Promise<{ file: string; address: string } | undefined> {
  const { files, has } = await readSite(folder);
  for (const { path, read } of files) {
    if (!NAMES_OTHERS.test(path)) continue;
    for (const [, name = ""] of (await read()).toString().matchAll(ROOTED))
      if ([name, `${name}.html`, `${name.replace(/\/$/, "")}/index.html`].some(has))
        return { file: path, address: `/${name}` };
  }
  return undefined;
}

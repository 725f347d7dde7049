import { readSite } from "./site-files.ts";

/** Files that can refer to others by address. */
const NAMES_OTHERS = /\.(?:html|css|js|mjs|svg|json|webmanifest)$/;
const ROOTED = /["'(=]\/(?!\/)([^"'()\s?#<>]{1,300})/g;

/**
 * Finds the first root-relative address of a site's own file: it breaks if the site is served below
 * a path, as project pages are.
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

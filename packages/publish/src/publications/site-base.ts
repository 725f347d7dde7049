import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Addresses on the page's own host. */
const ADDRESS = /\s(?:src|href)\s*=\s*["']?(\/[^/"'\s>?#][^"'\s>?#]{0,500})/gi;
/** Maximum number of characters searched in a page, and of segments in a base path. */
const MOST = { read: 500_000, parts: 3 };

/**
 * The base path for which a site was built, such as `/my-app` (`base` of Vite or Astro, Next's
 * `basePath`): without it, all files of its first page exist. Empty for a site at the root of its
 * host.
 * @param folder absolute path of the site
 */
export function siteBase(folder: string): string {
  const index = join(folder, "index.html");
  if (!existsSync(index)) return "";
  const page = readFileSync(index, "utf8").slice(0, MOST.read);
  const files = [...page.matchAll(ADDRESS)].flatMap(([, path = ""]) =>
    /\.\w{1,8}$/.test(path) && !path.includes("..") ? [path] : [],
  );
  const isThere = (path: string) => existsSync(join(folder, path));
  const [first] = files;
  if (first === undefined || files.some(isThere)) return "";
  const parts = first.split("/").slice(1, -1);
  for (let count = 1; count <= Math.min(parts.length, MOST.parts); count++) {
    const base = `/${parts.slice(0, count).join("/")}`;
    const below = files.filter((path) => path.startsWith(`${base}/`));
    if (below.some((path) => isThere(path.slice(base.length)))) return base;
  }
  return "";
}

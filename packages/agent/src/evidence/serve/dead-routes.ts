import { randomBytes } from "node:crypto";
import type { Browser, PageUse } from "../../ports/browser.ts";
import { getPage } from "./get-page.ts";
import { drain } from "../in-parallel.ts";
import type { Observation } from "../observation.ts";
import type { Served } from "./serve.ts";

/** How many links are followed, and how many at the same time. */
const FOLLOWED = 6;
const AT_ONCE = 3;
/** Milliseconds for the server to answer at an address that certainly does not exist. */
const ANSWER_MS = 4_000;
/** Matches links to files that are not pages, by extension. */
const FILE = /\.(?!html?$)\w{1,5}$/;

/**
 * Finds links on the observed pages whose addresses the app's own router does not know. The server of a single-page app
 * answers them like any other address, and the app shows the same there as at an address that does not exist. Nothing is
 * judged if the server knows its addresses, or if the app shows its first page at unknown ones.
 * Rejects with the signal's reason only.
 * @param browser the browser of a copy of the app
 */
export async function observeRoutes(
  served: Served,
  browser: Browser | undefined,
  look: Observation,
): Promise<void> {
  const { signal, keepPicture } = look;
  const { use } = browser ?? {};
  if (served.kind !== "page" || !use) return;
  const [start] = served.views;
  const links = linksOf(look, start.path);
  if (links.size === 0) return;
  const unknown = `${start.path.replace(/[^/]*$/, "")}p${randomBytes(6).toString("hex")}`;
  const show = (path: string, picture = false) =>
    use({ path, port: start.port, steps: [], picture, signal });
  try {
    const ask = { ms: ANSWER_MS };
    const answer = await getPage(look.workspace, start.port, unknown, signal, ask);
    if (answer.status >= 300 || !/html/i.test(answer.contentType)) return;
    const [nowhere, first] = await Promise.all([show(unknown), show(start.path)]);
    if (!isAt(nowhere, unknown) || !hasOwnLine(nowhere, first)) return;
    const line = [...links].slice(0, FOLLOWED).map(([path, from]) => async () => {
      const shown = await show(path, keepPicture !== undefined);
      if (!isAt(shown, path) || !showsSame(shown, nowhere, [path, unknown])) return;
      const picture = shown.picture && (await keepPicture?.(shown.picture, shown.undrawn));
      const finding = { code: "dead-link" as const, subject: path, path: from };
      look.finding({ ...finding, picture });
    });
    await drain(line, AT_ONCE);
  } catch {
    // The browser or the server broke; the pages themselves have already been observed.
    signal.throwIfAborted();
  }
}

/** The addresses that the pages link to, each with the page that contains the link. */
function linksOf({ evidence }: Observation, start: string): Map<string, string> {
  const links = new Map<string, string>();
  // The first page comes last in the evidence.
  for (const { path, links: found = [] } of evidence.pages.toReversed())
    for (const link of found) {
      const plain = link.split("#", 1)[0]!;
      if (plain === "" || plain === start || plain === path || FILE.test(plain)) continue;
      if (!links.has(plain)) links.set(plain, path);
    }
  return links;
}

/** Whether the page is still at the address that was opened: a redirect shows that the app knows the address. */
const isAt = ({ address }: PageUse, path: string): boolean => address === path;

/** Whether two pages show the same content, apart from these addresses and the link that is marked as current. */
function showsSame(one: PageUse, other: PageUse, addresses: readonly string[]): boolean {
  const [plain, otherPlain] = [one, other].map(({ outline }) =>
    addresses
      .flatMap((address) => [decoded(address), address])
      .reduce((text, address) => text.replaceAll(address, "…"), outline)
      .replace(/\s*\[(?:current|active|selected|pressed)[^\]]*\]/g, ""),
  );
  return plain === otherPlain;
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function hasOwnLine(page: PageUse, other: PageUse): boolean {
  const others = new Set(other.outline.split("\n"));
  return page.outline.split("\n").some((line) => line.trim() !== "" && !others.has(line));
}

import { ACTS } from "../browser/dead-links.ts";
import type { Inspection } from "../browser/types.ts";
import type { Ask } from "./ask.ts";
import { firstAnswer, isGone } from "./check-page.ts";
import type { Found } from "./types.ts";

/** Links that are asked for. */
const LINKS = 30;

/** Nothing is known of what a browser draws. */
export const UNSEEN =
  "The page could not be looked at in a browser, so neither accessibility nor links that a script draws were checked.";

/**
 * What is found in the first page as a browser draws it. None of it is serious.
 * @param inspect undefined where there is no browser
 */
export async function checkDrawn(
  inspect: (() => Promise<Inspection>) | undefined,
  ask: Ask,
): Promise<{ found: Found[]; unchecked: string[] }> {
  // A browser makes a page of data and of text too, which is nobody's.
  const { page } = await firstAnswer(ask);
  const type = page?.status === 200 ? page.headers["content-type"] : undefined;
  if (type !== undefined && !/html|xml/i.test(type)) return { found: [], unchecked: [] };
  const inspection = await inspect?.().catch(() => undefined);
  if (!inspection?.report.rendered) return { found: [], unchecked: [UNSEEN] };
  const { problems, links } = inspection;
  const found: Found[] = (problems ?? []).map(({ id, help, places, count }) => ({
    check: "accessibility",
    severity: "minor",
    title: `${help}.`,
    where: `/ ${places.join(", ")}${count > places.length ? ` and ${count - places.length} more` : ""}`,
    todo: `Mend it by axe's rule “${id}”.`,
  }));
  for (const path of links.filter((one) => !ACTS.test(one)).slice(0, LINKS))
    if (isGone(await ask(path)))
      found.push({
        check: "page",
        severity: "minor",
        title: "A link leads to a page that is not there.",
        where: path,
        todo: "Make that page, or lead the link elsewhere.",
      });
  return { found, unchecked: problems ? [] : [UNSEEN] };
}

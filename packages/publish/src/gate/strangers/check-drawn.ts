import { pageFault } from "@treadle/agent";
import { ACTS } from "@treadle/browser";
import type { Inspection } from "@treadle/browser";
import { sentence } from "@treadle/protocol/sentences";
import { finding } from "../finding.ts";
import { isHtml, type Ask } from "./ask.ts";
import { firstAnswer, isGone } from "./check-page.ts";
import type { Found } from "../types.ts";

/** Maximum number of links requested. */
const LINKS = 30;

/** The finding that no browser has seen the page. */
export const UNSEEN =
  "The page could not be looked at in a browser, so neither accessibility nor links that a script draws were checked.";

/**
 * Finds problems of the first page in a browser. A page that does not work is a serious finding,
 * since the verified one did.
 * @param inspect undefined if there is no browser
 */
export async function checkDrawn(
  inspect: (() => Promise<Inspection>) | undefined,
  ask: Ask,
): Promise<{ found: Found[]; unchecked: string[] }> {
  // A browser also displays data and plain text, which are not checked as pages.
  const { page } = await firstAnswer(ask);
  const type = page?.status === 200 ? page.headers["content-type"] : undefined;
  if (type !== undefined && !/html|xml/i.test(type)) return { found: [], unchecked: [] };
  const inspection = await inspect?.().catch(() => undefined);
  if (!inspection || inspection.report.status === 0) return { found: [], unchecked: [UNSEEN] };
  const { report, problems, links } = inspection;
  const found: Found[] = [];
  const fault = page?.status === 200 && isHtml(page) ? pageFault(report) : undefined;
  if (fault !== undefined)
    found.push(
      finding({
        check: "page",
        severity: "serious",
        title: sentence("gate-broken", { fault }),
        where: "/",
        todo: sentence("gate-do-broken"),
      }),
    );
  if (!report.rendered) return { found, unchecked: [UNSEEN] };
  for (const { id, help, places, count } of problems ?? [])
    found.push(
      finding({
        check: "accessibility",
        severity: "minor",
        title: `${help}.`,
        where: `/ ${places.join(", ")}${count > places.length ? ` and ${count - places.length} more` : ""}`,
        todo: sentence("gate-do-rule", { rule: id }),
      }),
    );
  for (const path of links.filter((one) => !ACTS.test(one)).slice(0, LINKS))
    if (isGone(await ask(path)))
      found.push(
        finding({
          check: "page",
          severity: "minor",
          title: sentence("gate-link-gone"),
          where: path,
          todo: sentence("gate-do-link"),
        }),
      );
  return { found, unchecked: problems ? [] : [UNSEEN] };
}

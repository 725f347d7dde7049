import type { Page } from "playwright-core";
import { z } from "zod";
import { lookAtPage, type PageLook } from "./look-at-page.ts";
import type { Inspection } from "./types.ts";
import { until } from "./wait-for-rest.ts";

/** The rules of WCAG 2.2, level AA. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** Maximum number of problems, of places per problem, and of links. */
const MOST = { problems: 20, places: 3, links: 100 };

const text = z.string().transform((long) => long.slice(0, 200));
/** The page's scripts can replace the functions that return the result, so it is validated. */
const Seen = z.object({
  links: z.array(z.string().max(1_000)).max(MOST.links),
  problems: z
    .array(
      z.object({ id: text, help: text, places: z.array(text).max(MOST.places), count: z.number() }),
    )
    .max(MOST.problems),
});

/**
 * Runs in the page after axe is loaded. Waits for animations, since fading text has too little
 * contrast.
 */
const INSPECT = String.raw`async () => {
  const links = new Set();
  for (const link of document.querySelectorAll("a[href]")) {
    if (link.origin !== location.origin || link.hasAttribute("download")) continue;
    const path = link.pathname + link.search;
    if (path !== location.pathname + location.search && path.length <= 1000) links.add(path);
  }
  for (const one of document.getAnimations())
    if (one.effect?.getTiming().iterations !== Infinity) one.finish();
  const { violations } = await axe.run(document, {
    runOnly: ${JSON.stringify(TAGS)},
    iframes: false,
    resultTypes: ["violations"],
  });
  return {
    links: [...links].slice(0, ${MOST.links}),
    problems: violations.slice(0, ${MOST.problems}).map(({ id, help, nodes }) => ({
      id,
      help,
      places: nodes.slice(0, ${MOST.places}).map(({ target }) => String(target)),
      count: nodes.length,
    })),
  };
}`;

/**
 * Inspects the accessibility of the rendered page, and collects its links. Rejects only with the
 * signal's reason.
 */
export async function inspectPage(
  page: Page,
  look: Omit<PageLook, "use" | "ahead">,
): Promise<Inspection> {
  let seen: z.infer<typeof Seen> | undefined;
  const report = await lookAtPage(page, {
    ...look,
    async use(_rest, ends) {
      const { default: axeCore } = await import("axe-core");
      await until(page.evaluate(axeCore.source), ends);
      seen = Seen.parse(await until(page.evaluate(`(${INSPECT})()`), ends));
    },
  });
  return { report, problems: seen?.problems, links: seen?.links ?? [] };
}

import axeCore from "axe-core";
import type { Page } from "playwright-core";

/** Rules of WCAG 2.2 at level AA, and what axe counts as good practice. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Violation {
  id: string;
  help: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

/** Rules about colours: what a theme can break, where names and structure are those of the other theme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * What axe finds wrong with the page as it stands, a line each; the app in the preview is the person's own.
 * @param part `colours` for a state that was checked whole in another theme, `structure` for one in another language
 */
export async function problemsOf(
  page: Page,
  part: "all" | "colours" | "structure" = "all",
): Promise<string[]> {
  // Not by an element: the page's policy lets no other scripts in.
  if (await page.evaluate(() => !("axe" in globalThis))) await page.evaluate(axeCore.source);
  // What fades in has half its contrast meanwhile.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((one) => one.effect?.getTiming().iterations !== Infinity)
        .map((one) => one.finished.catch(() => undefined)),
    ),
  );
  const runOnly = part === "colours" ? { type: "rule", values: COLOUR_RULES } : TAGS;
  const skipped = part === "structure" ? COLOUR_RULES : [];
  const found = await page.evaluate<Violation[], [unknown, string[], boolean]>(
    async ([only, without, isWhole]) => {
      const { axe } = globalThis as unknown as {
        axe: { run(where: object, how: object): Promise<{ violations: Violation[] }> };
      };
      const { violations } = await axe.run(
        { exclude: ["iframe"] },
        {
          runOnly: only,
          // Who speaks to the page says what stands on a button: its name has to have those words.
          rules: {
            "label-content-name-mismatch": { enabled: isWhole },
            ...Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
          },
          iframes: false,
          // For two rules, of media that play by themselves and of style sheets that hold a screen in one orientation, axe
          // fetches those again; the page has none, and the second is not among the tags.
          preload: false,
          resultTypes: ["violations"],
        },
      );
      return violations;
    },
    [runOnly, skipped, part !== "colours"] as [unknown, string[], boolean],
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = "" }) => {
      const more = failureSummary.split("\n")[1]?.trim() ?? "";
      return `${id} (${help}): ${String(target)} ${more}`;
    }),
  );
}

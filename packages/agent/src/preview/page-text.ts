import { judgeConsole } from "./judge-console.ts";
import { clipLine, clipMiddle } from "../text/clip.ts";
import { fence } from "../text/fence.ts";
import type { PageUse } from "../ports/browser.ts";

/** Maximum characters of the outline, of the errors and of the address. */
const OUTLINE = 6_000;
const ERRORS = 3_000;
const ADDRESS = 300;

/** Describes for the model what a page shows and what went wrong in it. */
export function pageText({ report, outline, undrawn, address }: PageUse): string {
  const { detail } = judgeConsole(report);
  const status = report.status === 0 ? "did not load" : `answered ${report.status}`;
  const shown = outline.trim() === "" ? "(the page shows nothing)" : outline;
  const led =
    address === undefined || address === report.path
      ? ""
      : ` Now at ${clipLine(address, ADDRESS)}.`;
  return [
    `${report.path} ${status}${report.title === "" ? "" : `, titled ${JSON.stringify(report.title)}`}.${report.lang === "" ? " Its html has no lang." : ""}${led}`,
    fence("page", clipMiddle(shown, OUTLINE)),
    ...(undrawn === undefined
      ? []
      : [
          `Where the picture has boxes, this browser has no font: it cannot draw ${undrawn.join(" ")}. That is no fault of the app; the browsers of its visitors have such fonts.`,
        ]),
    detail === "" ? "No errors." : fence("errors", clipMiddle(detail, ERRORS)),
  ].join("\n");
}

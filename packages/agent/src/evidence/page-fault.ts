import type { PageReport } from "@treadle/protocol";
import { judgeConsole } from "../preview/judge-console.ts";
import { pageProblem } from "../preview/page-problem.ts";
import { isBroken } from "./look-at-pages.ts";
import { excuseOf } from "./wanted-hosts.ts";

const NOTHING_MISSED = { refused: new Set<string>(), unreached: new Set<string>() };

/**
 * What speaks against a page that was looked at, in the words of a verdict; undefined where nothing does, or where it is
 * hosts outside that it did not reach.
 */
export function pageFault(report: PageReport): string | undefined {
  if (!isBroken(report) || excuseOf(report, NOTHING_MISSED, isBroken)) return undefined;
  const shown = report.unsettled === undefined ? pageProblem(report) : undefined;
  return shown?.text ?? judgeConsole(report).problem;
}

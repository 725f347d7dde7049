import type { PageReport } from "@treadle/protocol";
import { judgeConsole } from "../../preview/judge-console.ts";
import { pageProblem } from "../../preview/page-problem.ts";
import { isBroken } from "./look-at-pages.ts";
import { excuseOf } from "../wanted-hosts.ts";

const NOTHING_MISSED = { refused: new Set<string>(), unreached: new Set<string>() };

/**
 * The fault of an observed page, in the words of a verdict. Undefined if there is none, or if its cause are external hosts that
 * the page could not reach.
 */
export function pageFault(report: PageReport): string | undefined {
  if (!isBroken(report) || excuseOf(report, NOTHING_MISSED, isBroken)) return undefined;
  const shown = report.unsettled === undefined ? pageProblem(report) : undefined;
  return shown?.text ?? judgeConsole(report).problem;
}

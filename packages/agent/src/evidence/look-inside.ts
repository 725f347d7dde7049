import type { PageReport } from "@treadle/protocol";
import { beginningOf, freshValue, withFresh, type PageStep } from "@treadle/protocol/checks";
import { CHECKS_FILE, parseChecks } from "../checks/parse-checks.ts";
import type { Browser } from "../ports/browser.ts";
import { readText } from "../project/project-files.ts";
import type { Observation } from "./observation.ts";
import type { View } from "./serve.ts";

/** Pages that are looked at beside the one that the steps lead to. */
const OTHERS = 4;
/** A link to something else than a page, by its name. */
const FILE = /\.(?!html?$)\w{1,5}$/;

/**
 * Looks at the app as it is after the steps of `## Before each`, such as a sign-in: at the page that they lead to, and at
 * those that it links to. Nothing where there are no such steps, or one of them does not work: that is for the checks to say.
 * Only for places where nothing that is done lasts.
 * @param guessed addresses that a change may have touched
 * @param signal ends the whole look
 */
export async function lookInside(
  { use }: Pick<Browser, "use">,
  start: View,
  guessed: readonly string[],
  { workspace, signal }: Pick<Observation, "workspace" | "signal">,
  asked: boolean,
): Promise<PageReport[]> {
  if (!use) return [];
  const { beforeEach, byHand } = parseChecks((await readText(workspace, CHECKS_FILE)) ?? "");
  if (beforeEach.length === 0 || (byHand && !asked)) return [];
  const { path, rest } = beginningOf(beforeEach);
  // All visits share one copy of the data, where an address that is registered once cannot be registered again.
  const visit = async (...then: PageStep[]) => {
    const steps = withFresh([...rest, ...then], freshValue());
    const used = await use({ path, port: start.port, steps, signal });
    signal.throwIfAborted();
    return used.steps.every(({ ok }) => ok) ? used.report : undefined;
  };
  const first = await visit();
  if (!first) return [];
  const reports = [first];
  const links = (first.links ?? []).filter((link) => !FILE.test(link));
  const others = [...new Set([...guessed, ...links])].filter((one) => one !== first.path);
  for (const other of others.slice(0, OTHERS)) {
    const report = await visit({ do: "open", text: other });
    // Which address a change makes is a guess, and a link may lead to a file or out of the app again.
    if (report && report.status !== 404 && /html/i.test(report.contentType)) reports.push(report);
  }
  return reports;
}

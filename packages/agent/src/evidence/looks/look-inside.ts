import type { PageReport } from "@treadle/protocol";
import { beginningOf, freshValue, withFresh, type PageStep } from "@treadle/protocol/checks";
import { CHECKS_FILE, parseChecks } from "../../checks/parse-checks.ts";
import { readText } from "../../project/project-files.ts";
import type { CopiedApp, LentCopy } from "./copied-app.ts";
import type { Observation } from "../observation.ts";
import type { View } from "../serve/serve.ts";
import type { CodeRecord } from "../changed/what-ran.ts";

/** How many pages are opened in addition to the one that the steps lead to. */
const OTHERS = 4;
/** Matches links to files that are not pages, by extension. */
const FILE = /\.(?!html?$)\w{1,5}$/;

/**
 * Observes the app after the steps of `## Before each`, such as a sign-in: the page that they lead to, and the pages that it
 * links to. Observes nothing if there are no such steps, no copy is available, or a step fails, which the checks themselves
 * report. Rejects with the signal's reason only.
 * @param app lends a copy, so that the effects of the steps stay invisible to other observations
 * @param guessed addresses that a change may have touched
 * @param signal aborts the whole observation
 * @param how.asked whether a person requested the observation, so that steps marked for manual runs are taken as well
 * @param how.code records the code that runs there
 */
export async function lookInside(
  app: Pick<CopiedApp, "lend">,
  start: View,
  guessed: readonly string[],
  { workspace, signal }: Pick<Observation, "workspace" | "signal">,
  { asked, code }: { asked: boolean; code?: CodeRecord | undefined },
): Promise<PageReport[]> {
  const { beforeEach, byHand } = parseChecks((await readText(workspace, CHECKS_FILE)) ?? "");
  if (beforeEach.length === 0 || (byHand && !asked)) return [];
  let copy: LentCopy | undefined;
  try {
    copy = await app.lend({ isNew: true });
    signal.throwIfAborted();
    const reports = await lookIn(copy, start, guessed, beforeEach, { signal, code });
    await code?.takeServer(copy);
    return reports;
  } catch {
    // The browser or the copy broke, not the app itself.
    signal.throwIfAborted();
    return [];
  } finally {
    await copy?.giveBack(true);
  }
}

async function lookIn(
  { browser: { use }, workspace: { server } }: LentCopy,
  start: View,
  guessed: readonly string[],
  beforeEach: PageStep[],
  { signal, code }: { signal: AbortSignal; code: CodeRecord | undefined },
): Promise<PageReport[]> {
  if (!use) return [];
  const { path, rest } = beginningOf(beforeEach);
  // A server that listens on any free port has a different port in each copy.
  const ports = server?.ports ?? [];
  const port = ports.includes(start.port) ? start.port : ports[0];
  // All visits share one copy of the data, and an e-mail address can only be registered once in it.
  const visit = async (...then: PageStep[]) => {
    const steps = withFresh([...rest, ...then], freshValue());
    const used = await use({ path, port, steps, signal, code: code?.watch() });
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
    // The address of a change is a guess, and a link may lead to a file or out of the app.
    if (report && report.status !== 404 && /html/i.test(report.contentType)) reports.push(report);
  }
  return reports;
}

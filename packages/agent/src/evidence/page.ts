import type { PageReport } from "@treadle/protocol";
import { judgeConsole } from "./console.ts";
import type { Observation } from "./parts.ts";
import type { Served } from "./serve.ts";

/** A bad look is taken once more before it counts: servers that have just been told of a change answer oddly once. */
const LOOK_AGAIN_MS = 400;

/** Opens the page, and settles `page` and `console` by what was seen. */
export async function observePage(served: Served, look: Observation): Promise<void> {
  const { settle, looker, signal, clock } = look;
  if (served.kind === "none") return;
  if (served.kind === "api") {
    settle("page", "inapplicable", "the app is an API: its proof is the answered request");
    settle("console", "inapplicable", "the app is an API: it has no page");
    return;
  }
  if (!looker) {
    settle("page", "untried", "there is no browser here to open the page with");
    settle("console", "untried", "there is no browser here to open the page with");
    return;
  }
  settle("page", "going", "looking at the page");
  settle("console", "going", "looking at the page");
  const since = clock.now();
  try {
    let report = await looker.look({ path: served.path, signal });
    if (pageProblem(report) !== undefined || judgeConsole(report).problem !== undefined) {
      await clock.sleep(LOOK_AGAIN_MS, signal);
      report = await looker.look({ path: served.path, signal });
    }
    signal.throwIfAborted();
    look.page(report);
    settlePage(report, since, look);
  } catch (error) {
    signal.throwIfAborted();
    // The browser broke, not the page: nothing was seen.
    const reason = `the page could not be looked at: ${error instanceof Error ? error.message : String(error)}`;
    settle("page", "untried", reason);
    settle("console", "untried", reason);
  }
}

function settlePage(report: PageReport, since: number, { settle }: Observation): void {
  const broken = pageProblem(report);
  const title = report.title ? `title: ${report.title}\n` : "";
  if (broken === undefined) {
    const length = report.text.trim().length;
    const what = length > 0 ? `the page rendered ${length} characters` : "the page rendered";
    settle("page", "held", what, { since, detail: `${title}${report.text}` });
  } else
    settle("page", "failed", broken, { since, detail: `${title}${report.overlay ?? report.text}` });

  const { problem, detail, notes } = judgeConsole(report);
  if (problem !== undefined) settle("console", "failed", problem, { since, detail });
  else if (report.status === 0) settle("console", "untried", "the page did not load", { since });
  else
    settle(
      "console",
      "held",
      notes === 0 ? "no errors" : `no errors that matter; ${notes} messages`,
      {
        since,
        detail,
      },
    );
}

/** Why the page itself counts as broken, or undefined. */
function pageProblem({ status, rendered, path }: PageReport): string | undefined {
  if (status === 0) return `the page ${path} did not load`;
  if (status >= 400) return `the page ${path} answered ${status}`;
  return rendered ? undefined : `the page ${path} is blank`;
}

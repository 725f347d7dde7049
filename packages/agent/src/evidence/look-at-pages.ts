import type { PageReport, ProjectPath } from "@treadle/protocol";
import { judgeConsole } from "../preview/judge-console.ts";
import type { Browser } from "../ports/browser.ts";
import type { PicturePort } from "../ports/pictures.ts";
import { isTheApps } from "../preview/own-requests.ts";
import { unanswered } from "@treadle/protocol/evidence";
import { clauses, codeField, sentence, type Sentence } from "@treadle/protocol/sentences";
import { pageProblem } from "../preview/page-problem.ts";
import type { CopiedApp } from "./copied-app.ts";
import { getPage } from "./get-page.ts";
import type { Observation } from "./observation.ts";
import { readFacts } from "../project/project-facts.ts";
import { lookInside } from "./look-inside.ts";
import { routesTo } from "./routes-to.ts";
import type { CodeRecord } from "./what-ran.ts";
import { touchedRoutes } from "./touched-routes.ts";
import type { Served, View } from "./serve.ts";
import { excuseOf, wantedRemark } from "./wanted-hosts.ts";

/** Servers that have just been told of a change answer oddly once: so long after it they are looked at again. */
const LOOK_AGAIN_MS = 400;

/** Milliseconds for a server that a browser got no answer of to answer without one. */
const SOON_MS = 3_000;
/** Milliseconds that an address which has just answered is given to answer again, at least and beyond what it took. */
const AGAIN_AT_LEAST_MS = 15_000;
const BEYOND_MS = 3_000;

/** Pages that are looked at beside those that the server answered on. */
const OTHERS = 4;
/** Files of which nothing ran whose routes are looked for. */
const MISSED = 8;
/** A link to something else than a page, by its name. */
const FILE = /\.(?!html?$)\w{1,5}$/;

/**
 * Opens the page, and those that the change touched or that it leads to, and settles `page` and `console` by what was seen
 * of the first one that is broken, else of all.
 * @returns how the pages behind a sign-in are looked at, where they can be: settles both parts anew with those. It waits
 * for a copy of its own, so it can go on beside what else is tried. Rejects with the signal's reason only
 */
export async function observePage(
  served: Served,
  look: Observation,
  {
    touched,
    asked,
    code,
    app,
  }: {
    touched: ReadonlySet<ProjectPath>;
    asked: boolean;
    /** The copies of the app, in which nothing that is done lasts. Absent: it is looked at where the person uses it. */
    app?: CopiedApp | undefined;
    /** What ran of the turn's code: what did not is looked for behind the routes that lead to it. */
    code?: CodeRecord | undefined;
  },
): Promise<(() => Promise<void>) | undefined> {
  const { settle, browser, workspace, signal, clock } = look;
  if (served.kind === "none") return undefined;
  if (served.kind === "api" && served.missing !== undefined) {
    settle("page", "untried", served.missing);
    settle("console", "untried", served.missing);
    return undefined;
  }
  if (served.kind === "api") {
    settle("page", "inapplicable", sentence("api-proof"));
    settle("console", "inapplicable", sentence("api-no-page"));
    return undefined;
  }
  if (!browser) {
    settle("page", "untried", sentence("no-browser"));
    settle("console", "untried", sentence("no-browser"));
    return undefined;
  }
  settle("page", "going", sentence("looking-at"));
  settle("console", "going", sentence("looking-at"));
  const since = clock.now();
  try {
    const guessed = await touchedRoutes(workspace, touched);
    const [start, ...alsoServed] = served.views;
    const first = await lookTwice(browser, start, look, true);
    const more: PageReport[] = [];
    for (const view of alsoServed) {
      if (isBroken(more.at(-1) ?? first)) break;
      more.push(await lookTwice(browser, view, look));
    }
    // What a turn built leads to its other pages, and who asks wants to know of them as well; a look that follows no change
    // and that nobody asked for is at the first one alone.
    const isWhole = touched.size > 0 || asked;
    const linked = isWhole ? (first.links ?? []).filter((link) => !FILE.test(link)) : [];
    const onlyLinked = new Set(linked.filter((link) => !guessed.includes(link)));
    for (const path of [...new Set([...guessed, ...linked])].slice(0, OTHERS)) {
      if (path === start.path || isBroken(more.at(-1) ?? first)) continue;
      const report = await lookTwice(browser, { port: start.port, path }, look);
      // A link to what never answers is a dead one. The others are not waited for as long in their turn.
      if (unanswered(report) !== undefined && !guessed.includes(path)) more.push(report);
      if (unanswered(report) !== undefined) break;
      // Which address a file makes is a guess: one that does not exist says nothing.
      if (report.status === 404 || report.status === 0) continue;
      // Something else than a page: an API's answer is no rendering.
      if (!/html/i.test(report.contentType) && report.status < 500) continue;
      more.push(report);
    }
    if (!isBroken(more.at(-1) ?? first)) {
      const known = new Set([first, ...more].map(({ path }) => path));
      for (const path of await routesToMissed(code, look)) {
        if (known.has(path)) continue;
        const report = await lookTwice(browser, { port: start.port, path }, look);
        if (report.status === 404 || report.status === 0 || !/html/i.test(report.contentType))
          continue;
        more.push(report);
        if (isBroken(report)) break;
      }
    }
    for (const report of more) look.page(report);
    look.page(first);
    const settleBy = (seen: readonly PageReport[]) => {
      // A page that is broken by itself says more than one that missed a host.
      const broken = seen.filter(isBroken);
      const open = seen.find(({ unsettled }) => unsettled !== undefined);
      const unexcused = broken.find((report) => !excuse(report, look));
      // A page that the app only leads to, and that the outside kept from working, is told of: it is not what was asked for.
      const aside = broken.filter((report) => report !== first && onlyLinked.has(report.path));
      const lacking = broken.find((report) => !aside.includes(report));
      settlePage(unexcused ?? lacking ?? open ?? first, seen.length - 1, since, look, aside);
    };
    settleBy([...more, first]);
    if (!app || !isWhole || isBroken(more.at(-1) ?? first)) return undefined;
    return async () => {
      const inside = await lookInside(app, start, guessed, look, { asked, code });
      for (const report of inside) look.page(report, { isBeside: true });
      if (inside.length > 0) settleBy([...more, ...inside, first]);
    };
  } catch (error) {
    signal.throwIfAborted();
    // The browser broke, not the page: nothing was seen.
    const why = error instanceof Error ? error.message : String(error);
    const reason = sentence("not-looked", { why });
    settle("page", "untried", reason);
    settle("console", "untried", reason);
    return undefined;
  }
}

/** Where what the turn wrote and nothing ran yet is shown: it is opened before it counts as never run. */
async function routesToMissed(
  code: CodeRecord | undefined,
  { workspace }: Observation,
): Promise<string[]> {
  const missed = code?.missed() ?? [];
  if (missed.length === 0) return [];
  const packages = Object.keys((await readFacts(workspace)).manifest?.dependencies ?? {});
  const routes = new Set<string>();
  for (const { path, names } of missed.slice(0, MISSED)) {
    for (const route of await routesTo(workspace, path, names, packages)) routes.add(route);
    if (routes.size >= OTHERS) break;
  }
  return [...routes].slice(0, OTHERS);
}

/** A picture's bytes, and the characters that are boxes in it. */
type TakenPicture = Parameters<PicturePort["save"]>;

/**
 * A bad look is taken once more before it counts, with a picture of it.
 * @param pictured a good one has a picture, too: it is what the person knows the revision by
 */
async function lookTwice(
  browser: Browser,
  { path, port, answerMs: took }: View,
  look: Observation,
  pictured = false,
): Promise<PageReport> {
  const { clock, signal } = look;
  const answerMs = took === undefined ? undefined : Math.max(AGAIN_AT_LEAST_MS, took + BEYOND_MS);
  const asked = { path, port, signal, ...(answerMs !== undefined && { answerMs }) };
  let taken: TakenPicture | undefined;
  const onPicture = look.keepPicture && ((...shown: TakenPicture) => void (taken = shown));
  const report = await browser.look({ ...asked, ...(pictured && { onPicture }) });
  signal.throwIfAborted();
  // What was waited for so long is not waited for again, unless it is the browser that no answer reaches.
  const isSilent = unanswered(report) !== undefined && !(await answersSoon({ path, port }, look));
  if (!isBroken(report) || excuse(report, look) || isSilent)
    return withPicture(report, taken, look);
  await clock.sleep(LOOK_AGAIN_MS, signal);
  taken = undefined;
  let again = await browser.look({ ...asked, onPicture });
  signal.throwIfAborted();
  // What the server failed at was no odd moment of the browser's: it has to go well twice.
  if (!isBroken(again) && hasFailed(report)) {
    again = await browser.look({ ...asked, onPicture });
    signal.throwIfAborted();
  }
  return withPicture(again, pictured || isBroken(again) ? taken : undefined, look);
}

/** Whether the server answers whoever asks it without a browser. */
async function answersSoon({ path, port }: View, { workspace, signal }: Observation) {
  const answers = await getPage(workspace, port, path, signal, { ms: SOON_MS }).then(
    () => true,
    () => false,
  );
  signal.throwIfAborted();
  return answers;
}

/** Whether the app's own server said that it failed. A dev server that bundles its packages anew says 504. */
const hasFailed = ({ status, failedRequests }: PageReport) =>
  [{ method: "GET", url: "/", status }, ...failedRequests].some(
    (request) => request.status >= 500 && request.status !== 504 && isTheApps(request),
  );

async function withPicture(
  report: PageReport,
  taken: TakenPicture | undefined,
  { keepPicture }: Observation,
): Promise<PageReport> {
  const picture = taken && (await keepPicture?.(...taken));
  return picture ? { ...report, picture } : report;
}

/** What a page lacks that has not come to rest may be on its way; what it threw stands. */
const brokenPage = (report: PageReport) =>
  report.unsettled === undefined ? pageProblem(report) : undefined;

/** Whether what was seen of a page speaks against it. */
export const isBroken = (report: PageReport) =>
  brokenPage(report) !== undefined || judgeConsole(report).problem !== undefined;

const excuse = (report: PageReport, look: Observation) =>
  isBroken(report) ? excuseOf(report, look, isBroken) : undefined;

function settlePage(
  report: PageReport,
  others: number,
  since: number,
  look: Observation,
  aside: readonly PageReport[],
): void {
  const { settle } = look;
  const broken = brokenPage(report);
  const excused = excuse(report, look);
  const title = report.title ? `title: ${report.title}\n` : "";
  const { path } = report;
  const open = sentence("not-to-end", { path, why: report.unsettled ?? "" });
  if (report.unsettled !== undefined) settle("page", "untried", open, { since });
  else if (broken === undefined) {
    const length = report.text.trim().length;
    const rendered =
      length > 0 ? sentence("rendered", { count: length }) : sentence("rendered-bare");
    const more = others - aside.length;
    const what = more === 0 ? rendered : sentence("rendered-more", { what: rendered, more });
    const beside = aside.map((one) => `${one.path} ${wantedRemark(one)}`.trim());
    settle(
      "page",
      "held",
      clauses(
        what,
        ...langRemark(report),
        ...faintRemark(report),
        ...(report.wanted?.length ? [wantedRemark(report)] : []),
        ...beside,
        ...tabRemark(report),
      ),
      {
        since,
        detail: `${title}${report.text}`,
      },
    );
  } else if (excused !== undefined)
    settle("page", "untried", sentence("excused", { what: broken, why: excused }), {
      since,
      detail: report.text,
    });
  else
    settle("page", "failed", broken, { since, detail: `${title}${report.overlay ?? report.text}` });

  const { problem, problemCode, detail, notes } = judgeConsole(report);
  const seen = { text: problem ?? "", ...codeField("coded", problemCode) };
  const placed = path === "/" ? seen : sentence("on-page", { what: seen, path });
  if (problem !== undefined && excused !== undefined)
    settle("console", "untried", sentence("excused", { what: placed, why: excused }), {
      since,
      detail,
    });
  else if (problem !== undefined) settle("console", "failed", placed, { since, detail });
  else if (report.unsettled !== undefined) settle("console", "untried", open, { since });
  else if (report.status === 0)
    settle("console", "untried", sentence("page-did-not-load"), { since });
  else
    settle("console", "held", consoleWords(report, notes), {
      since,
      detail,
    });
}

/** Without scripts or data of elsewhere nobody knows whether the page works without errors. */
function consoleWords({ wanted: wants = [] }: PageReport, notes: number): Sentence {
  const misses = wants.some((one) => one.for !== "looks");
  if (notes === 0) return misses ? sentence("nothing-thrown") : sentence("no-errors");
  const known = misses ? sentence("nothing-thrown") : sentence("no-errors-matter");
  return clauses(known, sentence("messages", { count: notes }));
}

/** A remark, and no failure: readers of the page and translators go by it. */
const langRemark = ({ lang }: PageReport) => (lang === "" ? [sentence("no-lang")] : []);

/** Nobody but the person's own browser has seen it: that is its word, and it counts. */
const tabRemark = ({ source }: PageReport) => (source === "tab" ? [sentence("in-tab")] : []);

/** A remark, too: whether it is to be read, as a watermark is not, nobody can see. */
function faintRemark({ faint, dark }: PageReport): Sentence[] {
  const isSame = faint?.join("\n") === dark?.faint?.join("\n");
  const add = (code: "faint" | "faint-dark", texts: string[] | undefined) =>
    texts === undefined ? [] : [sentence(code, { texts: texts.map((text) => `“${text}”`) })];
  return [...add("faint", faint), ...(isSame ? [] : add("faint-dark", dark?.faint))];
}

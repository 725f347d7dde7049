import type { PageReport, ProjectPath } from "@treadle/protocol";
import { judgeConsole } from "../../preview/judge-console.ts";
import type { Browser } from "../../ports/browser.ts";
import type { PicturePort } from "../../ports/pictures.ts";
import { isTheApps } from "../../preview/own-requests.ts";
import { unanswered } from "@treadle/protocol/evidence";
import { clauses, sentence, type Sentence } from "@treadle/protocol/sentences";
import { pageProblem } from "../../preview/page-problem.ts";
import type { CopiedApp } from "./copied-app.ts";
import { getPage } from "../serve/get-page.ts";
import type { Observation } from "../observation.ts";
import { readFacts } from "../../project/project-facts.ts";
import { lookInside } from "./look-inside.ts";
import { routesTo } from "../changed/routes-to.ts";
import type { CodeRecord } from "../changed/what-ran.ts";
import { touchedRoutes } from "../changed/touched-routes.ts";
import type { Served, View } from "../serve/serve.ts";
import { excuseOf, wantedRemark } from "../wanted-hosts.ts";

/** Milliseconds before a bad page is opened again, because a server may answer incorrectly once just after a change. */
const LOOK_AGAIN_MS = 400;

/** Milliseconds for a plain request to a server that did not answer the browser. */
const SOON_MS = 3_000;
/** Minimum timeout in milliseconds for an address that has already answered, and the margin added to its earlier time. */
const AGAIN_AT_LEAST_MS = 15_000;
const BEYOND_MS = 3_000;

/** How many pages are opened in addition to those on which the server answered. */
const OTHERS = 4;
/** For how many files without any executed code routes are searched. */
const MISSED = 8;
/** Matches links to files that are not pages, by extension. */
const FILE = /\.(?!html?$)\w{1,5}$/;

/**
 * Opens the first page and the pages that the change touched or that the first page links to. Settles `page` and `console` from
 * the first broken page, or from all of them if none is broken.
 * @returns a function that observes the pages behind a sign-in and settles both parts again, if there are any. It waits for its
 * own copy, so it can run in parallel with other work, and rejects with the signal's reason only
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
    /** Copies of the app, whose changes are discarded. Without them the person's own app is observed. */
    app?: CopiedApp | undefined;
    /** Coverage of the turn's code. Routes that lead to code which has not run are opened, too. */
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
    // After a turn, or when a person requests it, the linked pages are opened as well. An observation without a change that
    // nobody requested opens only the first page.
    const isWhole = touched.size > 0 || asked;
    const linked = isWhole ? (first.links ?? []).filter((link) => !FILE.test(link)) : [];
    const onlyLinked = new Set(linked.filter((link) => !guessed.includes(link)));
    for (const path of [...new Set([...guessed, ...linked])].slice(0, OTHERS)) {
      if (path === start.path || isBroken(more.at(-1) ?? first)) continue;
      const report = await lookTwice(browser, { port: start.port, path }, look);
      // A link to an address that never answers is dead. Later links then get a shorter timeout.
      if (unanswered(report) !== undefined && !guessed.includes(path)) more.push(report);
      if (unanswered(report) !== undefined) break;
      // The address of a file is a guess, so a missing page proves nothing.
      if (report.status === 404 || report.status === 0) continue;
      // The answer of an API is not a rendered page.
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
      // A page that is broken by itself is more informative than one that could not reach a host.
      const broken = seen.filter(isBroken);
      const open = seen.find(({ unsettled }) => unsettled !== undefined);
      const unexcused = broken.find((report) => !excuse(report, look));
      // A linked page that failed because of an external host is only reported, because the person did not ask for it.
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
    // The browser broke, not the page, so the part stays untried.
    const why = error instanceof Error ? error.message : String(error);
    const reason = sentence("not-looked", { why });
    settle("page", "untried", reason);
    settle("console", "untried", reason);
    return undefined;
  }
}

/** Routes that show code of the turn which has not run yet. They are opened before the code counts as never run. */
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

/** A picture's bytes, and the characters for which it shows placeholder boxes. */
type TakenPicture = Parameters<PicturePort["save"]>;

/**
 * Opens a page. A bad result is confirmed by a second attempt, which also takes a picture.
 * @param pictured whether a good result has a picture as well, by which the person recognises the revision
 */
async function lookTwice(
  browser: Browser,
  { path, port, answerMs: took }: View,
  look: Observation,
  pictured = false,
): Promise<PageReport> {
  const { clock, signal } = look;
  const answerMs = took === undefined ? undefined : Math.max(AGAIN_AT_LEAST_MS, took + BEYOND_MS);
  const asked = { path, port, signal, answerMs };
  let taken: TakenPicture | undefined;
  const onPicture = look.keepPicture && ((...shown: TakenPicture) => void (taken = shown));
  const report = await browser.look({ ...asked, onPicture: pictured ? onPicture : undefined });
  signal.throwIfAborted();
  // A timeout is not repeated, unless only the browser failed to get an answer.
  const isSilent = unanswered(report) !== undefined && !(await answersSoon({ path, port }, look));
  if (!isBroken(report) || excuse(report, look) || isSilent)
    return withPicture(report, taken, look);
  await clock.sleep(LOOK_AGAIN_MS, signal);
  taken = undefined;
  let again = await browser.look({ ...asked, onPicture });
  signal.throwIfAborted();
  // A failure of the server is not a glitch of the browser, so the page must succeed twice.
  if (!isBroken(again) && hasFailed(report)) {
    again = await browser.look({ ...asked, onPicture });
    signal.throwIfAborted();
  }
  return withPicture(again, pictured || isBroken(again) ? taken : undefined, look);
}

/** Whether the server answers a plain request, sent without a browser. */
async function answersSoon({ path, port }: View, { workspace, signal }: Observation) {
  const answers = await getPage(workspace, port, path, signal, { ms: SOON_MS }).then(
    () => true,
    () => false,
  );
  signal.throwIfAborted();
  return answers;
}

/** Whether the app's own server reported a failure. A 504 comes from a dev server that is bundling its packages again. */
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

/**
 * Whether a page is broken. Content that is missing while it still loads may yet arrive, but its errors remain errors.
 */
const brokenPage = (report: PageReport) =>
  report.unsettled === undefined ? pageProblem(report) : undefined;

/** Whether the page counts as bad. */
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
  const seen = { text: problem ?? "", coded: problemCode };
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

/**
 * Describes the console. If external scripts or data are missing, it is unknown whether the page works without errors.
 */
function consoleWords({ wanted: wants = [] }: PageReport, notes: number): Sentence {
  const misses = wants.some((one) => one.for !== "looks");
  if (notes === 0) return misses ? sentence("nothing-thrown") : sentence("no-errors");
  const known = misses ? sentence("nothing-thrown") : sentence("no-errors-matter");
  return clauses(known, sentence("messages", { count: notes }));
}

/** A remark instead of a failure: screen readers and translators rely on the language. */
const langRemark = ({ lang }: PageReport) => (lang === "" ? [sentence("no-lang")] : []);

/** A remark for a page that only the person's own browser observed, whose report counts. */
const tabRemark = ({ source }: PageReport) => (source === "tab" ? [sentence("in-tab")] : []);

/** A remark instead of a failure, because faint text may be intended, as in a watermark. */
function faintRemark({ faint, dark }: PageReport): Sentence[] {
  const isSame = faint?.join("\n") === dark?.faint?.join("\n");
  const add = (code: "faint" | "faint-dark", texts: string[] | undefined) =>
    texts === undefined ? [] : [sentence(code, { texts: texts.map((text) => `“${text}”`) })];
  return [...add("faint", faint), ...(isSame ? [] : add("faint-dark", dark?.faint))];
}

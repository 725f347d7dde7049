/**
 * Evidence: what was observed of one revision of a project's files.
 * It never speaks of another revision; a newer revision starts with nothing tried.
 */

import type { CodedText } from "../sentences/types.ts";

/** The five things that can be observed, in the order in which they are tried. */
export const EVIDENCE_PARTS = ["install", "build", "serve", "page", "console"] as const;
/** One of the five things that can be observed. */
export type EvidencePart = (typeof EVIDENCE_PARTS)[number];

/**
 * `untried`: not observed yet. `going`: being observed now. `held`: observed to be good. `failed`: observed to be
 * broken. `inapplicable`: this kind of project has no such part (an API has no page).
 */
export type PartState = "untried" | "going" | "held" | "failed" | "inapplicable";

/** The observations of one part. */
export interface PartEvidence {
  state: PartState;
  /** One plain sentence without a final stop: "npm install ended with 1", "the page rendered 214 characters". */
  summary: string;
  /** The code of `summary`. */
  summaryCode?: CodedText;
  /** Details for a person who opens the part; at most 8,000 characters, with head and tail kept. */
  detail?: string;
  /** Milliseconds since 1970 when the observation settled. */
  at?: number;
  /** How long the observed thing took, in milliseconds. */
  ms?: number;
}

/**
 * One look at a page (or API address) of the running app, by a headless browser or by the probe in
 * the person's own. `tab`: by the tab in which the whole project runs, which is also the person's.
 */
export interface PageReport {
  source: "headless" | "probe" | "tab";
  /** Path and query as the app sees it, for example `/`. */
  path: string;
  /** The sandbox's port that answered; absent: the previewed one. */
  port?: number;
  /** Status of the document's response; 0 if there was none. */
  status: number;
  contentType: string;
  title: string;
  /** The language of its html element; empty if it has none, absent if not checked. */
  lang?: string;
  /** Whether the page shows anything at all: text, a picture, a canvas, a form control. */
  rendered: boolean;
  /** The visible text, at most 2,000 characters. */
  text: string;
  uncaughtErrors: PageProblem[];
  consoleErrors: PageProblem[];
  failedRequests: { method: string; url: string; status: number; reason?: string }[];
  /** The text of a framework's own error overlay, if one is shown. */
  overlay?: string;
  /** Why the page was checked before it had settled: missing content may still arrive. Absent: it had settled. */
  unsettled?: string;
  /** A path that it navigates to endlessly by itself. */
  loop?: string;
  /** Its text is unreadable, because it has its background's colour. */
  unreadable?: true;
  /**
   * Texts that are unreadable for the same reason while others are readable, cut to 60 characters;
   * at most 3.
   */
  faint?: string[];
  /** The same two for a browser that prefers dark. Absent: no problem there. */
  dark?: { unreadable?: true; faint?: string[] };
  /**
   * It is shown in a frame, and the browser denies it storage or isolation there, which the page
   * depends on.
   */
  frameDenied?: true;
  /** A line that still says it is loading after the page has become idle. */
  waiting?: string;
  /**
   * Text that the page displayed when data of an outside host did not arrive: an error message, or
   * a substitute. At most 200 characters.
   */
  inPlaceOfData?: string;
  /** Paths in the app that it links to, at most 20. */
  links?: string[];
  /** Milliseconds from the start of navigation until the page had settled. */
  ms: number;
  /** A screenshot: of the first page checked, and of broken ones. */
  picture?: PagePicture;
  /** A screenshot from before the turn, if a requirement can only be judged by eye. */
  pictureBefore?: PagePicture;
  /** Outside hosts that it could not reach, without duplicates, at most 20. */
  wanted?: PageWant[];
}

/** An outside host that could not be reached. */
export interface WantedHost {
  /** In the form of the project's list. */
  host: string;
  /** `not-allowed`: not on the project's list. `unreached`: unreachable from this machine. */
  why: "not-allowed" | "unreached";
}

/** A host that a page did not reach, with its purpose: a page can work without its `looks` (fonts, pictures, styles). */
export interface PageWant extends WantedHost {
  for: "script" | "data" | "looks";
}

/** A screenshot; its bytes are stored by hash, beside the pictures of messages. */
export interface PagePicture {
  /** Hex. */
  hash: string;
  mediaType: string;
  /**
   * A few characters of the page for which the checking browser has no font: boxes in the picture.
   */
  undrawn?: string[];
}

/** An error of a page. */
export interface PageProblem {
  message: string;
  /** `file:line:column` where it is known. */
  source?: string;
  stack?: string;
  /**
   * `browser`: reported by the browser, not printed by the page (such as a refused script).
   * `frame`: denied to a page in a frame, and possibly allowed in its own tab.
   */
  by?: "browser" | "frame";
}

/** A step of a check with its result. */
export interface CheckStep {
  ok: boolean;
  said: string;
  /**
   * An expectation that already held before the check's first action, and still did before the
   * action that it follows.
   */
  alreadyHeld?: boolean;
}

/**
 * Why a passed check proves nothing. `already-held`: each of its expectations held before its
 * actions. `no-expectation`: it has no expectation. `passed-before`: it also passes on the revision
 * before the turn. `one-value`: it fails with another value in place of the typed one.
 * `other-code`: none of the turn's code ran. `only-message`: typing only causes a message, the same
 * for other values, and nothing is stored. `not-kept`: the page sends the typed value to its
 * server, the app's database is not written, and the value is gone after a reload.
 */
export const PROVES_NOTHING = [
  "already-held",
  "no-expectation",
  "passed-before",
  "one-value",
  "other-code",
  "only-message",
  "not-kept",
] as const;
/** One of `PROVES_NOTHING`. */
export type ProvesNothing = (typeof PROVES_NOTHING)[number];

/**
 * Why a check that is new in the turn was not tried on the revision before it. `other-packages`:
 * that needs packages that would have to be installed. `not-served`: its server does not start, or
 * no copy was available. `no-time`: it took too long.
 */
export const BEFORE_UNTRIED = ["other-packages", "not-served", "no-time"] as const;
/** One of `BEFORE_UNTRIED`. */
export type BeforeUntried = (typeof BEFORE_UNTRIED)[number];

/** The state of the page and its server at the step at which a check failed. */
export interface FailedStep {
  /** Path and query of the page at that moment. */
  path: string;
  /** Roles, names and states of what the page showed, as an indented list; at most 4,000 characters. */
  outline: string;
  /** The last 10 lines that the page printed since the check began. */
  console?: string[];
  /** The server's output since the check began; at most 2,000 characters. */
  printed?: string;
}

/**
 * Observations that are no failure by themselves. `dead-control`: pressing it has no effect.
 * `dead-link`: it leads nowhere; if a check pressed it, `detail` has the response. `never-ran`:
 * code of the turn that never ran. `gone-after-reload`, `gone-after-restart`: what a check added is
 * gone. `never-written`: it was added on the page, but the app's database was not written.
 * `unclean`: a fresh copy with the dependencies of its lock files does not start.
 * `unclean-untried`: that was not tried. `made-by-command`: files that a command wrote outside of
 * the revision were used: the only finding that prevents `verified`. `tests-failed`: the project's
 * own tests fail. `tests-endless`: they stopped printing without ending, as in a runner's watch
 * mode.
 */
export const FINDING_CODES = [
  "dead-control",
  "dead-link",
  "never-ran",
  "gone-after-reload",
  "gone-after-restart",
  "never-written",
  "unclean",
  "unclean-untried",
  "made-by-command",
  "tests-failed",
  "tests-endless",
  "postgres-refused",
  "no-postgres-in-tab",
] as const;
/** One of `FINDING_CODES`. */
export type FindingCode = (typeof FINDING_CODES)[number];

/** An observation that does not affect the verdict. */
export interface Finding {
  code: FindingCode;
  /** Its subject, at most 200 characters: `button "Export"`, `exportCsv`, `Milk`, a command. */
  subject: string;
  /** Path of the page where it was observed. */
  path?: string;
  /** `src/export.ts:12`. */
  place?: string;
  /** Name of the check in which it was observed. */
  check?: string;
  /** Details, such as the end of an output; at most 2,000 characters. */
  detail?: string;
  picture?: PagePicture;
}

/** An acceptance check of the project with its result in the running app. */
export interface CheckReport {
  name: string;
  state: Exclude<PartState, "inapplicable">;
  /** The steps that were taken, in order; only the last may have failed. */
  steps: CheckStep[];
  ms?: number;
  /** Whether it was written or changed in the turn of this revision. */
  isNew?: true;
  /** Why it proves nothing about the turn although it passed. Absent: it counts. */
  provesNothing?: ProvesNothing;
  /**
   * Why it was not tried on the revision before the turn; it still counts. Absent: it was tried, or
   * did not have to be.
   */
  beforeUntried?: BeforeUntried;
  /** The failure of the first attempt, if the second passed. */
  firstTry?: string;
  /**
   * It runs in an earlier version: it was since removed, changed or disabled in the file, by the
   * model or by a change outside of the page, and the person has not approved that.
   */
  was?: { how: "removed" | "changed" | "off"; by: "model" | "outside" };
  /** The model changed it in this turn before it failed, or had written it itself. */
  rewritten?: true;
  /** The only typed value for which it holds; only with `one-value`. */
  holdsOnlyFor?: string;
  /** For a failed check: the state at that step. */
  failedStep?: FailedStep;
  /** For a failed check: a screenshot of that moment. */
  picture?: PagePicture;
}

/** A fault in the turn of a revision that was not repaired in it. */
export interface TurnFault {
  /** One plain sentence without a final stop: "npm install failed with 1". */
  said: string;
  /** The code of `said`. */
  saidCode?: CodedText;
  /**
   * Whether it prevents `verified`, because something required is missing. Others are listed beside
   * the verdict.
   */
  takesAway: boolean;
}

/** A requirement of a turn, and what shows it. */
export interface AskedItem {
  /** In the person's words; at most 200 characters. */
  what: string;
  /** Name of the check that shows it; absent: none does. */
  check?: string;
  /** Only a person can judge it: no check shows it. */
  byEye?: true;
  /** The person has looked at this revision and confirmed it. Only with `byEye`. */
  isAgreed?: true;
  /**
   * The check held before the turn and was not changed in it, or was rewritten to something that
   * already held.
   */
  isOlder?: true;
}

/** The observations of one revision. */
export interface Evidence {
  /** The revision of the files during the observation. */
  revision: string;
  parts: Record<EvidencePart, PartEvidence>;
  /** Absent if the project has none, or none that runs automatically. */
  checks?: CheckReport[];
  /** The looks on which `page` and `console` are based; newest last, at most 8. */
  pages: PageReport[];
  /** Hosts that the sandbox or a page could not reach, without duplicates, at most 20. */
  wanted?: WantedHost[];
  /**
   * The server's last output during the look, at most 4,000 characters; only if there is a problem.
   */
  printed?: string;
  /**
   * Paths of files that only the running app writes: its data, not part of the revision. At most
   * 20; absent: none.
   */
  data?: string[];
  /** Absent if the turn of this revision had no faults. */
  turn?: TurnFault[];
  /** The requirements of the turn of this revision. Absent if unknown: outside of a turn. */
  asked?: AskedItem[];
  /** Further observations; at most 40. Absent: none. */
  findings?: Finding[];
  /** Milliseconds that looking took. */
  ms?: number;
  /** When the look ended, in milliseconds since 1970. Absent: it is active, or was not recorded. */
  at?: number;
}

/**
 * `verified`: exactly this revision was observed to do what was requested. `runs`: it works without
 * errors, but not every requirement was tried. `failed`: it was observed to fail. `unverified`: it
 * could not be observed.
 */
export const VERDICTS = ["verified", "runs", "failed", "unverified"] as const;
/** One of `VERDICTS`. */
export type Verdict = (typeof VERDICTS)[number];

/**
 * How much a turn has to prove. `thorough`: if it runs and checks do not show every requirement,
 * the model is told once and may continue. `quick`: it ends at once.
 */
export const VERDICT_MODES = ["thorough", "quick"] as const;
/** One of `VERDICT_MODES`. */
export type VerdictMode = (typeof VERDICT_MODES)[number];

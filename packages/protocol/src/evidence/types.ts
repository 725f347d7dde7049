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
 * `untried`: nobody looked yet. `going`: being looked at now. `held`: seen to be good.
 * `failed`: seen to be broken. `inapplicable`: this kind of project has no such part (an API has no page).
 */
export type PartState = "untried" | "going" | "held" | "failed" | "inapplicable";

/** What was observed of one part. */
export interface PartEvidence {
  state: PartState;
  /** One plain sentence without a final stop: "npm install ended with 1", "the page rendered 214 characters". */
  summary: string;
  /** What `summary` says. */
  summaryCode?: CodedText;
  /** Details for a person who opens the part; at most 8,000 characters, with head and tail kept. */
  detail?: string;
  /** Milliseconds since 1970 when the observation settled. */
  at?: number;
  /** How long the observed thing took, in milliseconds. */
  ms?: number;
}

/**
 * One look at one page (or API address) of the running app, by a headless page or by the probe in the person's own. `tab`: by
 * the tab that the whole project runs in, which is the person's too.
 */
export interface PageReport {
  source: "headless" | "probe" | "tab";
  /** Path and query as the app sees it, for example `/`. */
  path: string;
  /** Of the sandbox, which answered; absent: the one that previews show. */
  port?: number;
  /** Status of the document's own response; 0 where nothing answered. */
  status: number;
  contentType: string;
  title: string;
  /** Of its html element; empty where that has none, absent where nobody looked. */
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
  /** The path that it opens again and again by itself. */
  loop?: string;
  /** It shows text, and none of it can be read: it has the colour of its ground. */
  unreadable?: true;
  /** Texts that cannot be read for the same reason while others can, cut to 60 characters; 3 at most. */
  faint?: string[];
  /** The same two, as it shows itself to a browser that prefers dark. Absent: nothing is amiss there. */
  dark?: { unreadable?: true; faint?: string[] };
  /** It is shown in a frame, and there the browser denies it what the whole page builds on: storage, or its isolation. */
  frameDenied?: true;
  /** A line that says it is still loading, at rest, after it has come to rest. */
  waiting?: string;
  /**
   * Text that the page put there as soon as data of a host outside did not come: an error of its own making, or something
   * in place of the data. At most 200 characters.
   */
  inPlaceOfData?: string;
  /** Paths of its own that it links to, at most 20. */
  links?: string[];
  /** Milliseconds from the start of navigation until the page had settled. */
  ms: number;
  /** A screenshot: of the first page checked, and of broken ones. */
  picture?: PagePicture;
  /** A screenshot from before the turn, if a requirement can only be judged by eye. */
  pictureBefore?: PagePicture;
  /** Hosts outside that it asked and did not reach, each once and 20 at most. */
  wanted?: PageWant[];
}

/** A host outside of the project that was asked for something, and not reached. */
export interface WantedHost {
  /** As it can be put on the project's list. */
  host: string;
  /** `not-allowed`: the project's list does not name it. `unreached`: it cannot be reached from this machine. */
  why: "not-allowed" | "unreached";
}

/** A host that a page did not reach, with its purpose: a page can work without its `looks` (fonts, pictures, styles). */
export interface PageWant extends WantedHost {
  for: "script" | "data" | "looks";
}

/** What a page looked like; its bytes are had by their hash, beside the pictures of messages. */
export interface PagePicture {
  /** Hex. */
  hash: string;
  mediaType: string;
  /** Characters of the page, a few, for which the looking browser has no font: in the picture they are boxes. */
  undrawn?: string[];
}

/** An error of a page. */
export interface PageProblem {
  message: string;
  /** `file:line:column` where it is known. */
  source?: string;
  stack?: string;
  /**
   * `browser`: the page did not print it, the browser says it of the page (a script that it refused to run). `frame`: the
   * browser denied something to a page that another page shows, and may allow it in a tab of its own.
   */
  by?: "browser" | "frame";
}

/** A step of a check, as it was taken. */
export interface CheckStep {
  ok: boolean;
  said: string;
  /** An expectation that had held before the check did anything, and still did before the action that it follows. */
  alreadyHeld?: boolean;
}

/**
 * Why a check that passed proves nothing. `already-held`: each of its expectations held before its actions.
 * `no-expectation`: it expects nothing. `passed-before`: it passes on the revision before the turn as well.
 * `one-value`: with another value in place of the one that it types, what it expects does not come. `other-code`: none of
 * what the turn wrote ran meanwhile. `only-message`: it types something, and all that comes of it is a message of the page's,
 * the same for another value, while nothing is kept. `not-kept`: the page sends what is typed to its server, the app's database
 * is not written, and after a reload it is gone.
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
/** One of these reasons. */
export type ProvesNothing = (typeof PROVES_NOTHING)[number];

/**
 * Why a check that is new in the turn was not tried on the revision before it. `other-packages`: that one needs packages that
 * would have to be installed. `not-served`: its server does not come up, or no copy could be had. `no-time`: it took too long.
 */
export const BEFORE_UNTRIED = ["other-packages", "not-served", "no-time"] as const;
/** One of these reasons. */
export type BeforeUntried = (typeof BEFORE_UNTRIED)[number];

/** What the page and its server showed at the step that a check failed at. */
export interface FailedStep {
  /** Path and query of the page at that moment. */
  path: string;
  /** Roles, names and states of what the page showed, as an indented list; at most 4,000 characters. */
  outline: string;
  /** What the page printed since the check began, the last 10 lines. */
  console?: string[];
  /** What the server printed since the check began; at most 2,000 characters. */
  printed?: string;
}

/**
 * What can be seen that breaks nothing by itself. `dead-control`: pressed, and nothing happens. `dead-link`: it leads nowhere;
 * where a check pressed it, `detail` says what answered.
 * `never-ran`: something written in the turn that nothing ran. `gone-after-reload`, `gone-after-restart`: what a check added
 * is not there any more. `never-written`: it was added on the page, and the app's database was not written. `unclean`: a
 * fresh copy with the dependencies of its lock files does not come up. `unclean-untried`: whether it does was not tried.
 * `made-by-command`: it was seen with what a command had written into folders that are no part of the revision: the one
 * finding with which a revision is not `verified`.
 * `tests-failed`: the project's own tests fail. `tests-endless`: they
 * fell silent without an end, as where their runner watches for changes.
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
/** One of these. */
export type FindingCode = (typeof FINDING_CODES)[number];

/** Something that was seen and that the verdict does not depend on. */
export interface Finding {
  code: FindingCode;
  /** What it is about, at most 200 characters: `button "Export"`, `exportCsv`, `Milk`, a command. */
  subject: string;
  /** Path of the page that it was seen on. */
  path?: string;
  /** `src/export.ts:12`. */
  place?: string;
  /** Name of the check that it was seen in. */
  check?: string;
  /** More of it for who opens it, such as the end of an output; at most 2,000 characters. */
  detail?: string;
  picture?: PagePicture;
}

/** One of the project's acceptance checks, and what came of its steps in the running app. */
export interface CheckReport {
  name: string;
  state: Exclude<PartState, "inapplicable">;
  /** The steps that were taken, in order; only the last may have failed. */
  steps: CheckStep[];
  ms?: number;
  /** It was written or changed in the turn that made the revision. */
  isNew?: true;
  /** It passed, and yet it proves nothing of the turn. Absent: it counts. */
  provesNothing?: ProvesNothing;
  /** Why it was not tried on the revision before the turn; it counts all the same. Absent: it was, or need not be. */
  beforeUntried?: BeforeUntried;
  /** What its first try failed at; it held at the second. */
  firstTry?: string;
  /**
   * It is run as it stood: in the file it was taken out, changed or switched off since, by the model or by what changed
   * the file outside of the page, and the person has not agreed to that.
   */
  was?: { how: "removed" | "changed" | "off"; by: "model" | "outside" };
  /** The model changed it in this turn, before it was seen to fail, or having written it itself. */
  rewritten?: true;
  /** What it types and holds for alone; only with `one-value`. */
  holdsOnlyFor?: string;
  /** Of one that failed: what was to be seen at that step. */
  failedStep?: FailedStep;
  /** Of one that failed: what the page looked like then. */
  picture?: PagePicture;
}

/** What went badly in the turn that made a revision, and was not made good in it. */
export interface TurnFault {
  /** One plain sentence without a final stop: "npm install failed with 1". */
  said: string;
  /** What `said` says. */
  saidCode?: CodedText;
  /** With it nothing is verified: what was to be there is not. Any other is named beside the verdict. */
  takesAway: boolean;
}

/** One thing that the person asked for in a turn, and what shows it. */
export interface AskedItem {
  /** In the person's words; at most 200 characters. */
  what: string;
  /** Name of the check that shows it; absent: none does. */
  check?: string;
  /** Only eyes can judge it: no check shows it. */
  byEye?: true;
  /** The person has looked at this revision and says that it is so. Only with `byEye`. */
  isAgreed?: true;
  /** The check held before the turn and was not changed in it, or was rewritten to what held before it. */
  isOlder?: true;
}

/** What was observed of one revision. */
export interface Evidence {
  /** The revision that stood while this was observed. */
  revision: string;
  parts: Record<EvidencePart, PartEvidence>;
  /** Absent where the project has none, or none that is run by itself. */
  checks?: CheckReport[];
  /** The looks that `page` and `console` were judged by; the newest last, at most 8. */
  pages: PageReport[];
  /** Hosts that anything of it wanted and did not reach, in the sandbox or in a page; each once and 20 at most. */
  wanted?: WantedHost[];
  /** The last that the server printed while it was looked at, at most 4,000 characters; only where something is amiss. */
  printed?: string;
  /** Files that the running app alone writes: its data, and no part of the revision. Paths, 20 at most; absent: none. */
  data?: string[];
  /** Absent where the turn that made the revision did nothing badly. */
  turn?: TurnFault[];
  /** What the person asked for in the turn that made the revision. Absent where that is not known: outside of a turn. */
  asked?: AskedItem[];
  /** What was seen beside that; at most 40. Absent: nothing. */
  findings?: Finding[];
  /** Milliseconds that looking took. */
  ms?: number;
  /** Milliseconds since 1970 when the look ended. Absent: it goes on, or was not remembered. */
  at?: number;
}

/**
 * `verified`: this exact revision was seen to do what was asked for. `runs`: it works without an error, and not all that
 * was asked for was tried. `failed`: it was seen not to work. `unverified`: it could not be seen.
 */
export const VERDICTS = ["verified", "runs", "failed", "unverified"] as const;
/** One of the four. */
export type Verdict = (typeof VERDICTS)[number];

/**
 * How much a turn has to prove. `thorough`: where it runs and not all that was asked for is shown by a check, the model is
 * told once and may go on. `quick`: it ends at once.
 */
export const VERDICT_MODES = ["thorough", "quick"] as const;
/** One of the two. */
export type VerdictMode = (typeof VERDICT_MODES)[number];

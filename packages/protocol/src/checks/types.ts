/** All kinds of steps. Those that begin with `expect` change nothing. */
export const PAGE_ACTS = [
  "click",
  "check",
  "uncheck",
  "type",
  "press",
  "select",
  "hover",
  "drag",
  "upload",
  "wait",
  "pause",
  "open",
  "reload",
  "request",
  "size",
  "date",
  "offline",
  "online",
  "expect",
  "expect_gone",
  "expect_address",
  "expect_status",
  "expect_body",
  "expect_no_body",
  "expect_file",
  "expect_console",
] as const;

/** Expected states of a control besides its text. */
export const PAGE_STATES = [
  "checked",
  "unchecked",
  "mixed",
  "disabled",
  "enabled",
  "focused",
  "selected",
  "pressed",
  "expanded",
  "collapsed",
] as const;
/** A state that may be expected of a control. */
export type PageState = (typeof PAGE_STATES)[number];

/** How a computed length or number may compare with the expected one. */
export const STYLE_COMPARISONS = ["at least", "at most", "more than", "less than"] as const;
/** One of `STYLE_COMPARISONS`. */
export type StyleComparison = (typeof STYLE_COMPARISONS)[number];

/** One action of a person in a page, or one expectation. */
export interface PageStep {
  do: (typeof PAGE_ACTS)[number];
  /**
   * The element: a role and a name (`button "Add"`), its visible words (a label, a placeholder, a
   * text), or `css=` and a selector; each optionally followed by the containing element: `button
   * "Delete" in row "Milk"`.
   */
  on?: string;
  /**
   * The typed, pressed, chosen or expected text. For `open`, `request` and `expect_address` a path;
   * for `pause` seconds; for `size` CSS pixels (`390x844`); for `date` a day or a minute
   * (`2026-03-01T09:30`); for `expect_status` a number; for `upload` and `expect_file` the content.
   */
  text?: string;
  /** States that are expected of the element. */
  is?: PageState[];
  /** How many such elements are expected. */
  count?: number;
  /** The CSS property whose value `text` is expected to be. */
  style?: string;
  /** How the style compares with `text`; absent: it is the same. */
  compare?: StyleComparison;
  /** The target of a drag. */
  to?: string;
  /** The name of a file. */
  file?: string;
  /** The method of a request. */
  method?: string;
  /** The body of a request. */
  body?: string;
  /** The name of the person who takes the step, if not the first one. Each has a separate browser context. */
  as?: string;
}

/** Whether a step only configures the check's environment. */
export const isSetting = ({ do: act }: Pick<PageStep, "do">): boolean =>
  act === "size" || act === "date";

/** Whether a step fails unless something is there: waiting for it expects it as well, and gives it more time. */
export const isDemand = (step: Pick<PageStep, "do">): boolean =>
  step.do === "wait" || isExpectation(step);

/** Whether a step is an expectation. */
export const isExpectation = ({ do: act }: Pick<PageStep, "do">): boolean =>
  act.startsWith("expect");

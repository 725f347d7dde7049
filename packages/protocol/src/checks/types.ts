/** What a step may do. Those that begin with `expect` change nothing. */
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
export type StyleComparison = (typeof STYLE_COMPARISONS)[number];

/** One thing that a person does in a page, or sees there. */
export interface PageStep {
  do: (typeof PAGE_ACTS)[number];
  /**
   * The element: a role and a name (`button "Add"`), the words by which a person knows it (a label, a placeholder, a
   * text), or `css=` and a selector; each may be followed by the element that it is in: `button "Delete" in row "Milk"`.
   */
  on?: string;
  /**
   * What is typed, pressed, chosen or expected there. Of `open`, `request` and `expect_address` a path; of `pause`
   * seconds; of `size` CSS pixels (`390x844`); of `date` a day or a minute (`2026-03-01T09:30`); of `expect_status` a
   * number; of `upload` and `expect_file` the content.
   */
  text?: string;
  /** States that are expected of the element. */
  is?: PageState[];
  /** How many such elements are expected. */
  count?: number;
  /** The CSS property that `text` is expected of. */
  style?: string;
  /** How the style compares with `text`; absent: it is the same. */
  compare?: StyleComparison;
  /** The element that something is dragged to. */
  to?: string;
  /** The name of a file. */
  file?: string;
  /** The method of a request. */
  method?: string;
  /** The body of a request. */
  body?: string;
  /** Which person does it, where that is not the first. Each has a browser context of their own. */
  as?: string;
}

/** Whether a step sets what a check runs in, and does nothing in the app. */
export const isSetting = ({ do: act }: Pick<PageStep, "do">): boolean =>
  act === "size" || act === "date";

/** Whether a step only looks. */
export const isExpectation = ({ do: act }: Pick<PageStep, "do">): boolean =>
  act.startsWith("expect");

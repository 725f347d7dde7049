/** What a step may do. */
export const PAGE_ACTS = [
  "click",
  "type",
  "press",
  "select",
  "wait",
  "expect",
  "expect_gone",
  "open",
  "reload",
] as const;

/** One thing that a person does in a page, or sees there. */
export interface PageStep {
  do: (typeof PAGE_ACTS)[number];
  /**
   * What it is done to: a role and a name (`button "Add"`), the words by which a person knows it (a label, a
   * placeholder, a text), or `css=` and a selector.
   */
  on?: string;
  /** What is typed, pressed, chosen or expected there; of `open`, the path. */
  text?: string;
}

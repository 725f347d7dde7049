import type { CheckStep, PageReport } from "@treadle/protocol";
import type { PageStep } from "@treadle/protocol/checks";

export { PAGE_ACTS, type PageStep } from "@treadle/protocol/checks";

/** Opens a page of the running app and says what it saw. Resolves with a report whatever the page does. */
export interface Browser {
  look(request: {
    path: string;
    /** Of the sandbox; absent: the one that previews show. */
    port?: number;
    signal: AbortSignal;
    /** Given a picture of what it shows in the end, as `PageUse` has it; not called where none can be taken. */
    onPicture?: (bytes: Uint8Array) => void;
  }): Promise<PageReport>;
  /**
   * Resolves when no page of the app is on its way to the person's own browser: within seconds, or with the signal.
   * What takes the machine for a while waits for it. Absent where there is no such browser.
   */
  personFirst?(signal: AbortSignal): Promise<void>;
  /**
   * Opens a page as `look` does and does what a person would in it, one step after the other, until one does not work.
   * Absent where pages can be looked at and not used.
   */
  use?(request: {
    path: string;
    port?: number;
    steps: PageStep[];
    /** Take a picture of what it shows in the end. */
    picture?: boolean;
    /** Milliseconds that what is expected is given to come; default 4,000. */
    expectMs?: number;
    signal: AbortSignal;
  }): Promise<PageUse>;
}

/** What came of using a page. */
export interface PageUse {
  /** One for each step that was tried, in order; only the last may have failed. */
  steps: CheckStep[];
  /** Roles, names and states of what the page shows in the end, as an indented list. */
  outline: string;
  /** A PNG or JPEG of what it shows in the end, at most 1 MB and 1280 × 800 pixels. */
  picture?: Uint8Array;
  /** What the page reported from its opening on. */
  report: PageReport;
}

import type { PageReport } from "@treadle/protocol";
import type { CodeWatch, PageUse, PageUseRequest, PressReport } from "@treadle/protocol/checks";

export { PAGE_ACTS } from "@treadle/protocol/checks";
export type {
  CodeWatch,
  PageStep,
  PageUse,
  PageUseRequest,
  PressReport,
  RanFile,
} from "@treadle/protocol/checks";

/**
 * Opens pages of the running app and reports on them. Resolves with a report whatever the page
 * does.
 */
export interface Browser {
  look(request: {
    path: string;
    /** A port of the sandbox; absent: the one shown in previews. */
    port?: number;
    signal: AbortSignal;
    /** Time limit for the first byte of the document, in milliseconds; default 60,000. */
    answerMs?: number;
    /** Receives a final picture of the page, as in `PageUse`; not called if none can be taken. */
    onPicture?: (bytes: Uint8Array, undrawn?: readonly string[]) => void;
    code?: CodeWatch;
  }): Promise<PageReport>;
  /**
   * Resolves when the person's own browser is loading no page of the app: within seconds, or with
   * the signal. Expensive work waits for it. Absent if there is no such browser.
   */
  personFirst?(signal: AbortSignal): Promise<void>;
  /**
   * Opens a page like `look` and takes steps in it, until one fails. Absent if pages can only be
   * looked at.
   */
  use?(
    request: PageUseRequest & { path: string; port?: number; signal: AbortSignal },
  ): Promise<PageUse>;
  /**
   * Opens a page and presses each of its controls, whatever they do; only available where their
   * effects do not last.
   */
  press?(request: {
    path: string;
    port?: number;
    code?: CodeWatch;
    signal: AbortSignal;
  }): Promise<PressReport>;
}

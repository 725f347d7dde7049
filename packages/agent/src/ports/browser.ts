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

/** Opens a page of the running app and says what it saw. Resolves with a report whatever the page does. */
export interface Browser {
  look(request: {
    path: string;
    /** Of the sandbox; absent: the one that previews show. */
    port?: number;
    signal: AbortSignal;
    /** Milliseconds for its document to begin to come; default 60,000. */
    answerMs?: number;
    /** Given a picture of what it shows in the end, as `PageUse` has it; not called where none can be taken. */
    onPicture?: (bytes: Uint8Array, undrawn?: readonly string[]) => void;
    code?: CodeWatch;
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
  use?(
    request: PageUseRequest & { path: string; port?: number; signal: AbortSignal },
  ): Promise<PageUse>;
  /**
   * Opens a page and presses each of its controls, whatever they do: only where nothing that they do lasts. Absent
   * elsewhere.
   */
  press?(request: {
    path: string;
    port?: number;
    code?: CodeWatch;
    signal: AbortSignal;
  }): Promise<PressReport>;
}

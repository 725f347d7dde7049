/** The headless page that looks at a preview where nobody does. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { CodeWatch, PageUse, PageUseRequest, PressReport } from "@treadle/protocol/checks";
import type { PageReport } from "@treadle/protocol";
import type { RegistryConfig } from "@treadle/egress";
import type { PageStyle } from "./read-style.ts";
import type { ResolveHost } from "@treadle/egress/public-address";

/** A look that asks for a page. */
export interface LookOrigin {
  /** The address that the app is told it came from. */
  address: string;
}

/** How the browser reaches previews; the gateway is one. */
export interface WayToPreviews {
  /** Answers a request of a look. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse, look?: LookOrigin): void;
  /** The same for an upgrade (WebSocket). */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, look?: LookOrigin): void;
  /**
   * A connection to a port that the processes behind a preview's host listen on; undefined where none does. Rejects where
   * it breaks.
   */
  connect(host: string, port: number): Promise<Duplex | undefined>;
}

export interface BrowserOptions {
  /** Where a browser out of the npm package is unpacked to; made if missing. */
  cacheDirectory: string;
  env: Record<string, string | undefined>;
  /** The only way by which the browser reaches a preview. It is called in this process: no port is needed. */
  gateway: WayToPreviews;
  /** Tests put registries and a resolver of their own in place of this machine's. */
  registry?: RegistryConfig;
  resolve?: ResolveHost;
  /** Where there is no bubblewrap, the browser runs with no other sandbox than the chosen host's. */
  unsafeNoSandbox?: boolean;
  /** The most milliseconds that one look may take, as long as anything moves in the page; default 180,000. */
  lookMs?: number;
  /** The most milliseconds that a browser may take for an empty page, before another is started; default 30,000. */
  openMs?: number;
  /** Milliseconds for an answer of the browser itself, twice, before it is ended; default 20,000. */
  silentMs?: number;
  /** Seconds of a processor's time after which a page that answers nothing is kept busy by a script; default 20. */
  busySeconds?: number;
  /** Milliseconds after which a script's question that nobody answers is one that is held open; default 15,000. */
  heldMs?: number;
}

export interface Look {
  /** Of the preview, as `Gateway.originOf` says it. */
  origin: string;
  /** Path and query, from `/` on. */
  path: string;
  /** Looks of the same one may go on at the same time. Absent: of no other origin. */
  project?: string;
  /** The hosts outside that the page's project may reach; absent: none. */
  hosts?: readonly string[];
  /** Whether it may ask the static hosts as well; default false. */
  staticHosts?: boolean;
  /** Milliseconds for its document to begin to come; default 60,000. */
  answerMs?: number | undefined;
  /** Text of a file of the page's project, to name places in; absent: none is known. */
  source?(path: string): Promise<string | undefined>;
  signal?: AbortSignal;
}

export interface Screenshot extends Look {
  /** CSS pixels. */
  width: number;
  height: number;
  dark?: boolean;
  /** How far the page is scrolled down first, in CSS pixels; default 0. */
  scroll?: number;
}

/** What stands in the way of people who use a page by other means than eyes and a mouse, and where it leads. */
export interface Inspection {
  report: PageReport;
  /** What axe found against WCAG 2.2, level AA; undefined where it could not look. */
  problems:
    | { id: string; help: string; places: string[]; /** Of all places. */ count: number }[]
    | undefined;
  /** Paths with their queries on the page's own host, as they are drawn. */
  links: string[];
}

export interface PreviewBrowser {
  /** Whether a look can be taken here. `message` is a sentence for people: which browser, or what is missing. */
  available(): Promise<{ ok: boolean; message: string }>;
  /**
   * Opens a page in a fresh context and says what it saw, whatever the page does: once it rests, a minute of its own time
   * later.
   * Rejects with the signal's reason when aborted, and with `BrowserError` when there is no browser to look with.
   */
  look(
    look: Look & {
      onPicture?: (bytes: Uint8Array, undrawn: readonly string[]) => void;
      code?: CodeWatch;
    },
  ): Promise<PageReport>;
  /**
   * Opens a page as `look` does and takes the steps in it, until one does not work.
   * Rejects as `look` does.
   */
  use(use: Look & PageUseRequest): Promise<PageUse>;
  /**
   * Opens a page and presses each of its controls, within about 30 s. What they do is done: only for pages of a throw-away
   * copy. Rejects as `look` does.
   */
  press(look: Look & { code?: CodeWatch }): Promise<PressReport>;
  /** Opens a page as `look` does, and inspects it once it rests. Rejects as `look` does. */
  inspect(look: Look): Promise<Inspection>;
  /** The page as PNG, once it has settled. Rejects as `look` does, and when the page does not load. */
  screenshot(shot: Screenshot): Promise<Uint8Array>;
  /**
   * Opens an address and reads how its page is drawn; undefined if it cannot be read. Rejects as `look` does.
   * @param look `address`: of the preview, or of a host that the look may reach
   */
  style(
    look: Omit<Look, "path"> & { address: string; dark: boolean },
  ): Promise<PageStyle | undefined>;
  /** Ends the browser. Safe to call twice; a look that goes on rejects. */
  close(): Promise<void>;
}

/** `message` is a sentence for people. */
export class BrowserError extends Error {
  override readonly name = "BrowserError";
}

/** The headless browser that looks at previews. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { CodeWatch, PageUse, PageUseRequest, PressReport } from "@treadle/protocol/checks";
import type { PageReport } from "@treadle/protocol";
import type { RegistryConfig } from "@treadle/egress";
import type { PageStyle } from "./read-style.ts";
import type { ResolveHost } from "@treadle/egress/public-address";

/** The origin of a look's requests. */
export interface LookOrigin {
  /** The client address that the app sees. */
  address: string;
}

/** The browser's access to previews; implemented by the gateway. */
export interface WayToPreviews {
  /** Answers a request of a look. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse, look?: LookOrigin): void;
  /** Handles an upgrade (WebSocket) of a look. Never throws. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, look?: LookOrigin): void;
  /**
   * Connects to a listening port behind a preview's host; undefined if there is none. Rejects if
   * the connection fails.
   */
  connect(host: string, port: number): Promise<Duplex | undefined>;
}

export interface BrowserOptions {
  /** The folder into which the browser of the npm package is unpacked; created if missing. */
  cacheDirectory: string;
  env: Record<string, string | undefined>;
  /**
   * The browser's only access to previews. It is called in this process, so that no port is needed.
   */
  gateway: WayToPreviews;
  /** Replaces this machine's registries and resolver in tests. */
  registry?: RegistryConfig;
  resolve?: ResolveHost;
  /** Without bubblewrap, the browser runs without a sandbox other than the machine's own. */
  unsafeNoSandbox?: boolean;
  /**
   * Maximum duration of a look, in milliseconds, as long as anything moves in the page; default
   * 180,000.
   */
  lookMs?: number;
  /**
   * Time limit for an empty page, in milliseconds, before another browser is started; default
   * 30,000.
   */
  openMs?: number;
  /**
   * Time limit for an answer of the browser itself, in milliseconds; it is ended after two
   * failures; default 20,000.
   */
  silentMs?: number;
  /** Time limit for a browser to close, in milliseconds, before it is killed; default 5,000. */
  endMs?: number;
  /**
   * Time limit for the work on a page that was told to end, in milliseconds; otherwise its browser
   * is closed. Default 10,000.
   */
  leaveMs?: number;
  /**
   * Processor seconds after which an unresponsive page counts as blocked by a script; default 20.
   */
  busySeconds?: number;
  /** Milliseconds after which a script's unanswered request counts as held open; default 15,000. */
  heldMs?: number;
}

export interface Look {
  /** The preview's origin, from `Gateway.originOf`. */
  origin: string;
  /** Path and query, beginning with `/`. */
  path: string;
  /** Looks of the same project can run in parallel. Absent: only those of the same origin. */
  project?: string;
  /** External hosts that the page's project may reach; absent: none. */
  hosts?: readonly string[];
  /** Whether the static hosts are allowed as well; default false. */
  staticHosts?: boolean;
  /** Time limit for the first byte of the document, in milliseconds; default 60,000. */
  answerMs?: number | undefined;
  /** Reads a file of the page's project, to resolve positions; absent: none is known. */
  source?(path: string): Promise<string | undefined>;
  signal?: AbortSignal;
}

export interface Screenshot extends Look {
  /** In CSS pixels. */
  width: number;
  height: number;
  dark?: boolean;
  /** Distance scrolled down before the picture, in CSS pixels; default 0. */
  scroll?: number;
}

/** The accessibility problems of a page, and its links. */
export interface Inspection {
  report: PageReport;
  /** Violations of WCAG 2.2, level AA, found by axe; undefined if it could not run. */
  problems:
    | { id: string; help: string; places: string[]; /** Of all places. */ count: number }[]
    | undefined;
  /** Paths with queries on the page's own host, in the rendered page. */
  links: string[];
}

export interface PreviewBrowser {
  /**
   * Whether looks are possible here. `message` is a sentence for people: which browser, or what is
   * missing.
   */
  available(): Promise<{ ok: boolean; message: string }>;
  /**
   * Opens a page in a fresh context and reports on it, whatever the page does: once it is idle, and
   * after a minute of its own time. Rejects with the signal's reason when aborted, and with
   * `BrowserError` if there is no browser.
   */
  look(
    look: Look & {
      onPicture?: (bytes: Uint8Array, undrawn: readonly string[]) => void;
      code?: CodeWatch;
    },
  ): Promise<PageReport>;
  /** Opens a page like `look` and takes the steps in it, until one fails. Rejects like `look`. */
  use(use: Look & PageUseRequest): Promise<PageUse>;
  /**
   * Opens a page and presses each of its controls, within about 30 s. Their effects are real, so
   * this is only for pages of a throw-away copy. Rejects like `look`.
   */
  press(look: Look & { code?: CodeWatch }): Promise<PressReport>;
  /** Opens a page like `look`, and inspects it once it is idle. Rejects like `look`. */
  inspect(look: Look): Promise<Inspection>;
  /** A PNG of the page, once it is idle. Rejects like `look`, and if the page does not load. */
  screenshot(shot: Screenshot): Promise<Uint8Array>;
  /**
   * Opens an address and reads its page's style; undefined if it cannot be read. Rejects like
   * `look`.
   * @param look `address`: of the preview, or of a host that the look may reach
   */
  style(
    look: Omit<Look, "path"> & { address: string; dark: boolean },
  ): Promise<PageStyle | undefined>;
  /** Ends the browser. Safe to call twice; a running look rejects. */
  close(): Promise<void>;
}

/** An error of the browser itself; its message is for people. */
export class BrowserError extends Error {
  override readonly name = "BrowserError";
}

/** The preview gateway's interface for the server, and the project data that it needs. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { PublicAddress } from "@treadle/common";
import type { PageReport, ServerState } from "@treadle/protocol";
import type { LookOrigin, WayToPreviews } from "@treadle/browser";
import type { Admission } from "./content-policy.ts";
import type { PreviewLimit } from "./limit-policy.ts";
import type { Neighbour } from "./localhost-names.ts";

/** One project's preview. Looked up for each request, since it may change or disappear. */
export interface PreviewTarget {
  project: string;
  /** Connects to a port inside the project's sandbox; rejects if nothing listens there. */
  connect(port: number): Promise<Duplex>;
  /** Ports the project's own processes listen on; the first is the one that is previewed. No other is reachable. */
  ports(): number[];
  /** The current revision, which is added to the probe's reports. */
  revision?(): Promise<string | undefined>;
  /** Text of a project's file, or undefined if it is missing or larger than 1 MB. Absent: no files are available. */
  source?(path: string): Promise<string | undefined>;
  /**
   * The server's state, for the page that is shown while it is not up; absent: judged by its ports.
   */
  state?(): ServerState["state"] | undefined;
  /** Whether its server sleeps, or is waking; absent: it never does. */
  isAsleep?(): boolean;
  /** Starts a sleeping server; resolves when it is up, or will not be. Never rejects. */
  wake?(): Promise<void>;
  /** The limits of its pages in the person's browser; undefined: none. */
  limit?(): Promise<PreviewLimit | undefined>;
  /** Called when a page's response to a frame of the workbench begins. */
  onPage?(): void;
  /** Called on each request to the app, except those of the checking browser. */
  onRequest?(): void;
  /**
   * Called after a request that may change the app's data was forwarded, or a message on a
   * WebSocket.
   */
  onWrite?(): void;
  /** Called when a page has drawn something, or is invisible; possibly often. */
  onDrawn?(): void;
  /**
   * Receives the report of the probe in a page of this preview; validated and bounded, at most 8
   * per second.
   */
  onReport(report: ProbeReport): void;
}

/** How a request to a port of a project and its response are rewritten. */
export interface Rewriting {
  token: string | undefined;
  admission: Admission;
  /** Set if the requesting page is on another port of the project. */
  neighbour?: Neighbour;
  /** A policy in addition to the app's own. */
  limit?: string;
  /** The check that makes the request. Absent: a person does, whose address the app does not receive. */
  look?: LookOrigin | undefined;
  /** Rewrites a redirect target; undefined if it can stay unchanged. */
  location(to: string): string | undefined;
}

/** A page's report with the current revision. Every text in it comes from generated code. */
export type ProbeReport = PageReport & { revision?: string };

export interface GatewayOptions {
  /** The preview behind an unguessable name; undefined: 404. A rejection is answered as 502. */
  resolve(capability: string): PreviewTarget | undefined | Promise<PreviewTarget | undefined>;
  /** Origin of Treadle's own page on this machine, `http://localhost:<port>`: previews have the same scheme and port. */
  appOrigin(): string;
  /** Where people on other machines open the page and its previews; undefined: nowhere. */
  people?: PublicAddress | undefined;
  /**
   * Treadle's own start-up token. An Authorization header that contains it is not forwarded. Absent: none is forwarded
   * at all.
   */
  token?: string;
}

export interface Gateway extends WayToPreviews {
  /**
   * Whether a Host header has the form of a preview (`<capability>[--<port>].localhost`), known or
   * not.
   */
  handles(host: string | undefined): boolean;
  /**
   * Answers a request for a Host that it handles, or for a public one whose sender may see the preview. Never throws.
   * @param look set for requests of the checking browser, whose own proxy limits it to the project's
   * hosts; absent: a person's
   */
  handle(request: IncomingMessage, response: ServerResponse, look?: LookOrigin): void;
  /**
   * Origin of a preview, without a trailing slash; `port` for another of the project's ports than
   * its first.
   */
  originOf(capability: string, port?: number): string;
}

/** The preview gateway's interface for the server, and the project data that it needs. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { PageReport, ServerState } from "@treadle/protocol";
import type { LookOrigin, WayToPreviews } from "@treadle/browser";
import type { Admission } from "./content-policy.ts";
import type { PreviewLimit } from "./limit-policy.ts";
import type { Neighbour } from "./localhost-names.ts";

/** One project's preview. Asked for anew at each request, so that it may change or go away. */
export interface PreviewTarget {
  project: string;
  /** A connection to a port inside the project's sandbox; rejects where nothing listens. */
  connect(port: number): Promise<Duplex>;
  /** Ports the project's own processes listen on; the first is the one that is previewed. No other is reachable. */
  ports(): number[];
  /** The current revision, which is added to the probe's reports. */
  revision?(): Promise<string | undefined>;
  /** Text of a project's file, or undefined if it is missing or larger than 1 MB. Absent: no files are available. */
  source?(path: string): Promise<string | undefined>;
  /** What the server is doing, for the page that is shown while it is not up; absent: judged by its ports. */
  state?(): ServerState["state"] | undefined;
  /** Whether its server only sleeps, or is waking; absent: it never does. */
  isAsleep?(): boolean;
  /** Starts what sleeps; resolves when it is up, or will not be. Never rejects. */
  wake?(): Promise<void>;
  /** What its pages are held to in the person's browser; undefined: nothing. */
  limit?(): Promise<PreviewLimit | undefined>;
  /** A page begins to be answered to a frame of the workbench; absent: nobody wants to know. */
  onPage?(): void;
  /** Called on each request to the app, except those of the checking browser. */
  onRequest?(): void;
  /** A request that may change what the app keeps was passed on, or a message on a socket; absent: nobody wants to know. */
  onWrite?(): void;
  /** Something of that page is drawn, or it is not to be seen; as often as the page likes. */
  onDrawn?(): void;
  /** What the probe in a page of this preview saw; validated and bounded, at most 8 a second. */
  onReport(report: ProbeReport): void;
}

/** What a request to a port of a project and the answer to it are rewritten by. */
export interface Rewriting {
  token: string | undefined;
  admission: Admission;
  /** Where the page that asks is one of another port of the project. */
  neighbour?: Neighbour;
  /** A policy beside the app's own. */
  limit?: string;
  /** The check that makes the request. Absent: a person does, whose address the app does not receive. */
  look?: LookOrigin | undefined;
  /** Where an answer sends the browser; undefined where that may stay as it is. */
  location(to: string): string | undefined;
}

/** Every text in it comes from generated code. */
export type ProbeReport = PageReport & { revision?: string };

export interface GatewayOptions {
  /** The preview behind an unguessable name; undefined: 404. A rejection is answered as 502. */
  resolve(capability: string): PreviewTarget | undefined | Promise<PreviewTarget | undefined>;
  /** Origin of Treadle's own page, `http://localhost:<port>`: previews have the same scheme and port. */
  appOrigin(): string;
  /**
   * Treadle's own start-up token. An Authorization header that contains it is not forwarded. Absent: none is forwarded
   * at all.
   */
  token?: string;
}

export interface Gateway extends WayToPreviews {
  /** Whether a Host header names a preview (`<capability>[--<port>].localhost`), known or not. */
  handles(host: string | undefined): boolean;
  /**
   * Answers a request whose Host it handles. Never throws.
   * @param look of the looking browser's, which is held to the project's hosts by its own way out; absent: a person's
   */
  handle(request: IncomingMessage, response: ServerResponse, look?: LookOrigin): void;
  /** Where a preview is, without a final slash; `port` for another of the project's ports than its first. */
  originOf(capability: string, port?: number): string;
}

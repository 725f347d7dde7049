import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Accounts, Authority, Principal } from "@treadle/accounts";
import {
  isPreviewHost,
  type PreviewHost,
  type PublicAddress,
  publicPreviewOrigin,
  readPreviewHost,
  readRequestTarget,
  refuseRequest,
  type RequestTarget,
} from "@treadle/common";
import { type Gateway, isDocumentRequest, isForeignPage, refuseUpgrade } from "@treadle/gateway";
import type { LiveAccess } from "./live-access.ts";
import { ownPath } from "./own-path.ts";
import { plainPage } from "./plain-page.ts";
import type { PreviewPasses } from "./preview-passes.ts";
import { signedOutWords } from "./signed-out-words.ts";

/** Path at every host of a preview, answered here, that exchanges a ticket for a pass. */
const ENTER_PATH = "/__treadle/enter";
/** Path at the host of a preview's first port, answered here, that gives a ticket for the host of another port. */
const VOUCH_PATH = "/__treadle/vouch";
/** Path at Treadle's own host that checks who may see a preview, and redirects back to it with a ticket. */
export const PASS_PATH = "/preview-pass";

/**
 * The entrance to previews for people on other machines. Anybody who may see the project enters with a ticket, and
 * has a pass from then on.
 */
export interface PreviewDoor {
  /** Whether a Host header is below the domain of previews, known or not. */
  handles(host: string | undefined): boolean;
  /** Answers a request to a host that it handles. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** The address that exchanges a ticket for a pass, and redirects to `path`. */
export const enterAddress = (origin: string, ticket: string, path: string): string =>
  `${origin}${ENTER_PATH}?${new URLSearchParams({ ticket, to: path })}`;

export function createPreviewDoor(parts: {
  people: PublicAddress;
  gateway: Pick<Gateway, "handle" | "upgrade">;
  passes: PreviewPasses;
  sessions: Pick<Accounts["sessions"], "find">;
  authority: Authority;
  live: LiveAccess;
  projectOf(capability: string): string | undefined;
}): PreviewDoor {
  const { people, gateway, passes, sessions, authority, live } = parts;
  const hostOf = ({ headers }: IncomingMessage) => headers.host?.toLowerCase() ?? "";
  const namedBy = (request: IncomingMessage) =>
    readPreviewHost(hostOf(request), people.previewDomain);

  /** The project and the person of a session, if they may see it now; otherwise undefined. */
  async function viewer(session: string | undefined, named: PreviewHost | undefined) {
    const project = named && parts.projectOf(named.capability);
    if (project === undefined || session === undefined) return undefined;
    const principal = await sessions.find(session);
    const decision = await authority.decide(principal, "project.view", { project });
    return principal && decision === "allowed" ? { principal, project } : undefined;
  }

  /**
   * The person and the project of the request's pass; undefined without a valid one. A request from a page of
   * another project is never admitted by the browser's pass.
   */
  const admitted = async (request: IncomingMessage) =>
    isForeignPage(request.headers)
      ? undefined
      : viewer(passes.sessionIn(request.headers.cookie, hostOf(request)), namedBy(request));

  function track(
    { principal, project }: { principal: Principal; project: string },
    connection: ServerResponse | Duplex,
  ): void {
    const end = () => connection.destroy();
    const unwatch = live.watch({ principal, action: "project.view", holder: { project }, end });
    connection.once("close", unwatch);
  }

  function lead(response: ServerResponse, location: string, cookie?: string): void {
    response
      .writeHead(303, {
        location,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        ...(cookie === undefined ? {} : { "set-cookie": cookie }),
      })
      .end();
  }

  /**
   * Answers a request without a valid pass: redirects a page to where it can get one, and refuses everything else.
   */
  async function close(request: IncomingMessage, response: ServerResponse, to: string) {
    const named = namedBy(request);
    const { headers } = request;
    const isPage = request.method === "GET" && isDocumentRequest(request);
    // Inside a frame, only the host of the project's first port has a pass, so that host is asked first.
    if (isPage && named?.port !== undefined) {
      const asked = new URLSearchParams({ port: String(named.port), to });
      const first = publicPreviewOrigin(people, named.capability);
      return lead(response, `${first}${VOUCH_PATH}?${asked}`);
    }
    const isTab = (headers["sec-fetch-dest"] ?? "document") === "document";
    if (isPage && named && isTab) return leadToOwnHost(response, hostOf(request), to);
    const { tag, words } = signedOutWords(headers["accept-language"]);
    const page = plainPage(401, words.signedOut, `<p>${words.aboutPreview}</p>`, {
      language: tag,
    });
    page.headers.delete("x-frame-options");
    const policy = page.headers.get("content-security-policy")!;
    page.headers.set(
      "content-security-policy",
      policy.replace("frame-ancestors 'none'", `frame-ancestors ${people.origin}`),
    );
    request.resume();
    response.writeHead(401, Object.fromEntries(page.headers)).end(await page.text());
  }

  const leadToOwnHost = (response: ServerResponse, host: string, to: string) =>
    lead(response, `${people.origin}${PASS_PATH}?${new URLSearchParams({ host, to })}`);

  async function enter(request: IncomingMessage, response: ServerResponse, asked: URLSearchParams) {
    const host = hostOf(request);
    const to = ownPath(asked.get("to"));
    const session = passes.takeTicket(asked.get("ticket") ?? "", host);
    if (session !== undefined && (await viewer(session, namedBy(request))))
      return lead(response, to, passes.cookie(host, session));
    // Browsers open an address with a used ticket again, for example from the history.
    if (await admitted(request)) return lead(response, to);
    return close(request, response, to);
  }

  async function vouch(request: IncomingMessage, response: ServerResponse, asked: URLSearchParams) {
    const named = namedBy(request);
    const port = Number(asked.get("port"));
    const to = ownPath(asked.get("to"));
    if (!named || !Number.isInteger(port) || port < 1 || port > 65_535)
      return close(request, response, "/");
    const origin = publicPreviewOrigin(people, named.capability, port);
    const host = new URL(origin).host;
    const session = passes.sessionIn(request.headers.cookie, hostOf(request));
    if (session === undefined || !(await admitted(request))) {
      if (request.headers["sec-fetch-dest"] === "document")
        return leadToOwnHost(response, host, to);
      return close(request, response, to);
    }
    lead(response, enterAddress(origin, passes.giveTicket(host, session), to));
  }

  async function answer(request: IncomingMessage, response: ServerResponse, asked: RequestTarget) {
    const query = new URLSearchParams(asked.query);
    if (asked.path === ENTER_PATH) return enter(request, response, query);
    if (asked.path === VOUCH_PATH) return vouch(request, response, query);
    const seen = await admitted(request);
    if (!seen) return close(request, response, asked.text);
    track(seen, response);
    gateway.handle(request, response);
  }

  return {
    handles: (host) => isPreviewHost(host, people.previewDomain),
    handle(request, response) {
      response.on("error", () => response.destroy());
      const asked = readRequestTarget(request.url);
      if (!asked) return refuseRequest(response);
      answer(request, response, asked).catch(() => response.destroy());
    },
    upgrade(request, socket, head) {
      socket.on("error", () => socket.destroy());
      admitted(request)
        .then((seen) => {
          if (!seen) return refuseUpgrade(socket, 401);
          track(seen, socket);
          gateway.upgrade(request, socket, head);
        })
        .catch(() => socket.destroy());
    },
  };
}

import { sentence, type Sentence } from "@treadle/protocol/sentences";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Publication } from "@treadle/protocol";
import { ApiFailure, ListenError, openListener, shutListener } from "@treadle/common";
import { refuseUpgrade } from "@treadle/gateway";
import type { Door, DoorPublication } from "./door.ts";
import { isPortHost, listenedOn, portAddresses, type PortSettings } from "./port-settings.ts";

/** The requested port of a publication: a certain one, any free one, or none. */
export type WantedPort = number | "free" | "none";

/**
 * Dedicated ports of published apps, for clients without `*.localhost`: some browsers, and phones
 * in the same network.
 */
export interface AppPorts {
  /**
   * Assigns a port to a publication and listens on it; releases the former one.
   * @returns the port; undefined for none
   * @throws ApiFailure 400 `bad-port`, 409 `port-taken`, `port-refused`; the former port then stays
   */
  give(project: string, wantedPort: WantedPort): Promise<number | undefined>;
  /** Listens again on a stored port after a restart. A failure becomes part of its description. */
  reopen(project: string, port: number): Promise<void>;
  /** The port of a publication with its addresses and any problem. @param port as stored */
  describe(project: string, port: number | undefined): Publication["port"];
  close(): Promise<void>;
}

export function createAppPorts(options: {
  settings: PortSettings;
  door: Door;
  find(project: string): DoorPublication | undefined;
}): AppPorts {
  const { settings, door, find } = options;
  const open = new Map<string, { port: number; servers: Server[] }>();
  const problems = new Map<string, Sentence>();

  async function listen(project: string, port: number): Promise<Server[]> {
    const wrong = (host: string | undefined) =>
      `Ask for ${portAddresses(settings, port)[0]}: this port answers to addresses of this machine, and not to “${(host ?? "").slice(0, 100)}”.\n`;
    const handlers = {
      request(request: IncomingMessage, response: ServerResponse) {
        const { host } = request.headers;
        const publication = isPortHost(host, port) ? find(project) : undefined;
        if (publication)
          return door.handle({ ...publication, sharesHost: true }, request, response);
        const [status, text] = isPortHost(host, port)
          ? [404, "Nothing is published here now.\n"]
          : [421, wrong(host)];
        response
          .writeHead(status, {
            "content-type": "text/plain; charset=utf-8",
            "cache-control": "no-store",
          })
          .end(text);
      },
      upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
        const publication = isPortHost(request.headers.host, port) ? find(project) : undefined;
        if (publication) door.upgrade({ ...publication, sharesHost: true }, request, socket, head);
        else refuseUpgrade(socket, 421);
      },
    };
    const servers: Server[] = [];
    for (const host of listenedOn(settings))
      try {
        servers.push(await openListener(host, port, handlers));
      } catch (error) {
        // This machine has no IPv6.
        if (servers.length > 0 && error instanceof ListenError && error.code === "failed") continue;
        await Promise.all(servers.map(shutListener));
        throw error;
      }
    return servers;
  }

  async function giveUp(project: string): Promise<void> {
    problems.delete(project);
    const one = open.get(project);
    open.delete(project);
    await Promise.all((one?.servers ?? []).map(shutListener));
  }

  async function take(project: string, port: number): Promise<void> {
    const servers = await listen(project, port);
    await giveUp(project);
    open.set(project, { port, servers });
  }

  /** Why no port can be opened: an error that another port would have, too. */
  const elsewhere = ({ message }: Error) => sentence("port-refused", { why: message });
  const isTaken = (error: unknown) => error instanceof ListenError && error.code === "in-use";

  const range = { first: String(settings.first), last: String(settings.last) };

  async function takeFree(project: string): Promise<number> {
    for (let port = settings.first; port <= settings.last; port++)
      try {
        await take(project, port);
        return port;
      } catch (error) {
        if (!(error instanceof ListenError)) throw error;
        if (!isTaken(error)) throw new ApiFailure(409, "port-refused", elsewhere(error));
      }
    throw new ApiFailure(409, "port-taken", sentence("ports-taken", range));
  }

  return {
    async give(project, wantedPort) {
      if (wantedPort === "none") {
        await giveUp(project);
        return undefined;
      }
      const has = open.get(project)?.port;
      if (has !== undefined && (wantedPort === "free" || wantedPort === has)) return has;
      if (wantedPort === "free") return takeFree(project);
      if (wantedPort < settings.first || wantedPort > settings.last)
        throw new ApiFailure(400, "bad-port", sentence("port-out", range));
      try {
        await take(project, wantedPort);
      } catch (error) {
        if (!(error instanceof ListenError)) throw error;
        if (!isTaken(error)) throw new ApiFailure(409, "port-refused", elsewhere(error));
        throw new ApiFailure(
          409,
          "port-taken",
          sentence("port-taken", { port: String(wantedPort) }),
        );
      }
      return wantedPort;
    },
    async reopen(project, port) {
      try {
        await take(project, port);
      } catch (error) {
        const failed = error as Error;
        problems.set(
          project,
          isTaken(failed) ? sentence("port-taken", { port: String(port) }) : elsewhere(failed),
        );
      }
    },
    describe(project, port) {
      if (port === undefined) return undefined;
      const problem = problems.get(project);
      return {
        number: port,
        addresses: portAddresses(settings, port),
        problem: problem?.text,
        problemCode: problem?.coded,
      };
    },
    async close() {
      await Promise.all([...open.keys()].map(giveUp));
    },
  };
}

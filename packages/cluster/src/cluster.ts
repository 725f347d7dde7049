import type { IncomingMessage } from "node:http";
import { endSoon, type Handlers } from "@treadle/common";
import type { Store } from "@treadle/store";
import { forwardRequest, forwardUpgrade, type Destination } from "./forward.ts";
import { openInternalDoor } from "./internal-door.ts";
import { createLeaseOwnership } from "./lease-ownership.ts";
import { ownedStore } from "./owned-store.ts";
import type { Ownership } from "./ownership.ts";
import type { ClusterSettings } from "./settings.ts";

/** The project that a request concerns. */
export interface Concern {
  project: string;
  /** Whether the project's app is asked for, which needs an owner whoever asks. */
  isServed: boolean;
}

/** This server as one of several. */
export interface Cluster {
  ownership: Ownership;
  /** The store for everything but recovery: its writes to a project first make this server the owner. */
  store: Store;
  /**
   * Handlers for the public listener: what concerns a project of another server is forwarded to it, the rest is passed
   * to `local`.
   * @param find the project that a request concerns; undefined if any server can answer it
   */
  route(local: Handlers, find: (request: IncomingMessage) => Promise<Concern | undefined>): Handlers; // prettier-ignore
  /** Accepts what other servers forward. @throws ListenError */
  listen(local: Handlers): Promise<void>;
  close(): Promise<void>;
}

/** @param store the opened store; its writes are fenced from here on */
export function createCluster(
  store: Store,
  { address, secret, leaseMs }: ClusterSettings,
  { now, onNotice }: { now(): number; onNotice(text: string): void },
): Cluster {
  const ownership = createLeaseOwnership({ store, address, leaseMs, now, onNotice });
  let door: { close(): Promise<void> } | undefined;
  return {
    ownership,
    store: ownedStore(store, ownership),
    route(local, find) {
      /** Undefined if this server answers the request itself. */
      const destinationOf = async (request: IncomingMessage): Promise<Destination | undefined> => {
        const concern = await find(request);
        if (!concern) return undefined;
        const { project, isServed } = concern;
        const owner = await ownership.ownerOf(project);
        if (owner.kind === "nobody" && isServed) await ownership.own(project);
        if (owner.kind !== "elsewhere") return undefined;
        const onUnreachable = () => ownership.forgetOwner(project);
        return { address: owner.address, secret, onUnreachable };
      };
      return {
        request(request, response) {
          destinationOf(request).then(
            (destination) =>
              destination
                ? forwardRequest(request, response, destination)
                : local.request(request, response),
            (error: Error) => {
              onNotice(error.message);
              request.resume();
              response.writeHead(503, { "retry-after": "1", "cache-control": "no-store" }).end();
            },
          );
        },
        upgrade(request, socket, head) {
          // The client may leave while the owner is looked up.
          const left = () => socket.destroy();
          socket.on("error", left);
          destinationOf(request).then(
            (destination) => {
              if (destination) return forwardUpgrade(request, socket, head, destination);
              local.upgrade(request, socket, head);
              socket.off("error", left);
            },
            (error: Error) => {
              onNotice(error.message);
              endSoon(socket, "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"); // prettier-ignore
            },
          );
        },
      };
    },
    async listen(local) {
      const { hostname, port } = new URL(address);
      const host = hostname.replace(/^\[|\]$/g, "");
      door = await openInternalDoor({ host, port: Number(port), secret }, local);
      ownership.begin();
    },
    async close() {
      await ownership.close();
      await door?.close();
    },
  };
}

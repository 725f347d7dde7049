import type { Gateway } from "@treadle/gateway";
import { newCapability, previewOrigin, readPreviewHost } from "@treadle/common";
import { createReleaseSlot, type ReleaseServer } from "./release-slot.ts";
import { createDoor, type DoorPublication } from "./door.ts";

/** Temporary hosts at which our own browser inspects a release before it becomes current. Nobody else can reach or guess them. */
export interface InspectionHosts {
  /** Serves the release at a host of its own until `work` settles. @param work receives its origin */
  withHost<Result>(
    project: string,
    releaseServer: ReleaseServer,
    work: (origin: string) => Promise<Result>,
  ): Promise<Result>;
  /** The preview gateway extended by these hosts; only for the browser that inspects releases. */
  among(gateway: Gateway): Pick<Gateway, "handle" | "upgrade" | "connect">;
}

/** @param token Treadle's own; an app never sees it */
export function createInspectionHosts(appOrigin: () => string, token: string): InspectionHosts {
  const open = new Map<string, DoorPublication>();
  const find = (host: string | undefined) => open.get(readPreviewHost(host)?.capability ?? "");
  const door = createDoor(token);
  return {
    async withHost(project, releaseServer, work) {
      const capability = newCapability();
      const slot = createReleaseSlot();
      slot.put(releaseServer);
      // Errors that an inspection provokes are not counted as visitors' errors.
      open.set(capability, { project, slot, onRequest() {}, onError() {} });
      try {
        return await work(previewOrigin(appOrigin(), capability));
      } finally {
        open.delete(capability);
      }
    },
    among: (gateway) => ({
      handle(request, response, looked) {
        const inspected = find(request.headers.host);
        if (inspected) door.handle(inspected, request, response);
        else gateway.handle(request, response, looked);
      },
      upgrade(request, socket, head) {
        const inspected = find(request.headers.host);
        if (inspected) door.upgrade(inspected, request, socket, head);
        else gateway.upgrade(request, socket, head);
      },
      connect: (host, port) =>
        // A published app has a single port, so there is no other to connect to.
        find(host) ? Promise.resolve(undefined) : gateway.connect(host, port),
    }),
  };
}

import type { IncomingMessage } from "node:http";
import type { Concern } from "@treadle/cluster";
import { readPreviewHost } from "@treadle/common";
import { restoreHost } from "./access/entrance.ts";
import { isPeoplesHost } from "./server-address.ts";
import type { Base } from "./assemble-base.ts";
import type { Publishing } from "./assemble-publishing.ts";

/** Paths of Treadle's own host that belong to a project. */
const PROJECT_PATH = /^\/api\/projects\/([a-z0-9]{1,64})(?:[/?]|$)/;

/**
 * Finds the project that a request concerns, by its host or its path. Nothing is permitted by that: the server that
 * answers checks the request.
 */
export function findProject(
  { address, settings, store, lookup }: Base,
  { sharing, publications }: Publishing,
): (request: IncomingMessage) => Promise<Concern | undefined> {
  const { people } = address;
  return async (request) => {
    if (people) restoreHost(request, settings.proxies);
    const { host } = request.headers;
    if (host !== undefined && isPeoplesHost(host, { people, port: address.port() })) {
      const [, project] = PROJECT_PATH.exec(request.url ?? "") ?? [];
      return project === undefined ? undefined : { project, isServed: false };
    }
    const served = (await publications.projectAt(host)) ?? (await sharing.projectAt(host));
    if (served !== undefined) return { project: served, isServed: true };
    const preview =
      readPreviewHost(host) ?? (people && readPreviewHost(host, people.previewDomain));
    if (preview) {
      const record = await store.projects.byCapability(preview.capability);
      // Another server may have created it.
      if (record) lookup.created(record);
      return record && { project: record.id, isServed: true };
    }
    return undefined;
  };
}

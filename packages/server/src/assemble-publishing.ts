import { readPreviewHost } from "@treadle/common";
import { askAdvisories } from "@treadle/egress";
import { createPlaces } from "@treadle/gateway";
import {
  type Certificates,
  createCertificates,
  createDoor,
  createPublications,
  createSharing,
  type ElsewhereService,
  openElsewhere,
  openPublicationList,
  type Publications,
  PUBLISHED_PLACES,
} from "@treadle/publish";
import type { Base } from "./assemble-base.ts";
import type { Previews } from "./assemble-previews.ts";
import type { Projects } from "./assemble-projects.ts";

export interface Publishing {
  /** The entrance to published apps. */
  door: ReturnType<typeof createDoor>;
  publications: Publications;
  elsewhere: ElsewhereService;
  sharing: Awaited<ReturnType<typeof createSharing>>;
  certificates: Certificates;
}

/**
 * The fourth layer: publications, shares and deployments elsewhere. It is notified when projects
 * are deleted or restored.
 */
export async function openPublishing(
  base: Base,
  { browser, inspectionHosts, targetOf }: Previews,
  { runtimes }: Projects,
): Promise<Publishing> {
  const { store, clock, appsPostgres, appOrigin, token, env, dataDirectory, now, onNotice } = base;
  const { appsDomain, ports, proxies, standIns } = base.settings;
  const { folderOf, picturesOf } = base.saved;
  const published = createPlaces(PUBLISHED_PLACES);
  const door = createDoor(token, { published, proxies });
  const publications = createPublications({
    store,
    driver: base.driver,
    appsPostgres,
    projects: runtimes,
    list: await openPublicationList(store),
    folderOf,
    // Beside its public addresses, an app has one on this machine.
    appOrigin: base.address.localOrigin,
    appsDomain,
    ports,
    door,
    askAdvisories: (packages, signal) => askAdvisories(env, packages, signal),
    ownership: base.ownership,
    inspect:
      browser &&
      ((project, releaseServer, look) =>
        inspectionHosts.withHost(project, releaseServer, (origin) =>
          browser.inspect({ origin, path: "/", ...look }),
        )),
    requests: base.people.accounts?.reviews,
    now,
    onNotice,
  });
  const elsewhere = await openElsewhere({
    store,
    dataDirectory,
    origin: standIns,
    clock,
    publications,
    folderOf,
    onNotice,
  });
  for (const { id } of await store.projects.deleted()) await publications.suspend(id);
  const sharing = await createSharing({
    store,
    projects: runtimes,
    publications,
    targetOf,
    published,
    proxies,
    picturesOf,
    dataDirectory,
    env,
    token,
    appOrigin,
    appsDomain,
    now,
    onNotice,
  });
  const { people } = base.address;
  const isPublicHost = (domain: string) => {
    const named = people && readPreviewHost(domain, people.previewDomain);
    return domain === people?.host || (named && base.lookup.projectOf(named.capability)) !== undefined; // prettier-ignore
  };
  const certificates = createCertificates({
    token,
    port: base.address.port,
    people: base.address.people,
    proxies,
    isServed: (domain) =>
      publications.findByHost(domain) !== undefined ||
      sharing.isServed(domain) ||
      isPublicHost(domain),
  });
  base.lookup.connectPublishing({
    awake: publications.awake,
    isAwake: publications.isAwake,
    takeOver: publications.takeOver,
    withJobs: publications.withJobs,
    async rest(project) {
      await elsewhere.suspend(project);
      await publications.suspend(project);
    },
    back: (project) => publications.resume(project),
    async remove(project) {
      await elsewhere.remove(project);
      await publications.remove(project);
      await sharing.shares.removeOf(project);
      await appsPostgres?.removeProject(project).catch((error: Error) => {
        onNotice(`Its PostgreSQL databases could not be removed: ${error.message}`);
      });
    },
  });
  return { door, publications, elsewhere, sharing, certificates };
}

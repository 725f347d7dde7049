import { createDatabases } from "@treadle/app-database";
import {
  type AttemptProjects,
  createComparisons,
  createComparisonWork,
  createParallelRequests,
  openComparisonList,
} from "@treadle/attempts";
import { BrowserError } from "@treadle/browser";
import { createDeviceSignIns, gitLogins } from "@treadle/git";
import { pagePolicy } from "./access/headers.ts";
import { createApp } from "./api/app.ts";
import type { Services } from "./api/services.ts";
import { createUpgrade } from "./api/upgrade.ts";
import { connectReviews } from "./assemble-reviews.ts";
import type { Base } from "./assemble-base.ts";
import type { Previews } from "./assemble-previews.ts";
import type { Projects } from "./assemble-projects.ts";
import type { Publishing } from "./assemble-publishing.ts";
import { createBoltChat } from "./bolt/bolt-chat.ts";
import { systemClock } from "./common/system-clock.ts";
import { describeServer } from "./describe-server.ts";
import { serveMcp } from "@treadle/mcp-server";
import { staticPage } from "@treadle/common/static-page";
import { copyKeptFolders } from "./project-context/copy-kept-folders.ts";
import { titleOf } from "./project-context/project-name.ts";
import { forkProject } from "./projects/fork-project.ts";
import { createSettingsService } from "./projects/project-settings.ts";
import { exportTranscript } from "@treadle/replay";
import { createRooms } from "@treadle/co-editing";
import type { TreadleOptions } from "./types.ts";

/** Opens comparisons and parallel requests, and gives them the operations on projects that they need. */
async function openAttempts(
  { store, now, onNotice, saved: { folderOf } }: Base,
  { runtimes, projects }: Projects,
  allowHost: AttemptProjects["allowHost"],
) {
  const attemptProjects: AttemptProjects = {
    ...projects,
    get: runtimes.get,
    create: ({ text, ...options }) => projects.create({ name: titleOf(text), ...options }),
    fork: (project, asked) => forkProject({ store, runtimes, now, folderOf }, project, asked),
    copyKept: (from, to) => copyKeptFolders(folderOf(from), folderOf(to)),
    allowHost,
  };
  const parts = { store, now, projects: attemptProjects, list: await openComparisonList(store) };
  const work = createComparisonWork({ ...parts, onNotice });
  return {
    comparisonWork: work,
    comparisons: createComparisons({ ...parts, work }),
    parallel: createParallelRequests({ ...parts, work }),
  };
}

export type Routes = Awaited<ReturnType<typeof createRoutes>>;

/** The last layer: the routes for the page, the command line and other programs. */
export async function createRoutes(
  base: Base,
  previews: Previews,
  opened: Projects,
  publishing: Publishing,
  options: TreadleOptions,
) {
  const { store, models, now, onNotice, saved, appOrigin, guards, tabs } = base;
  const { runtimes, projects, folders, keptData, mcp } = opened;
  const { publications, elsewhere, certificates, sharing } = publishing;
  const settings = createSettingsService({
    store,
    runtimes,
    verdicts: base.settings.verdicts,
    onChanged: (project) => publications.settingsChanged(project),
  });
  const { comparisons, parallel, comparisonWork } = await openAttempts(
    base,
    opened,
    settings.allowHost,
  );
  const tryReviewed = await connectReviews(base, previews, opened, publishing, settings);
  const transcriptOf: Services["transcriptOf"] = (project, run) => {
    const workspaceOf = async (id: string) => (await runtimes.get(id)).workspace();
    const { privateValues } = sharing;
    return exportTranscript({ store, workspaceOf, privateValues, ...saved }, project, run);
  };
  const services: Services = {
    store,
    projects,
    runtimes,
    models,
    folders,
    settings,
    notifications: base.notifications,
    comparisons,
    parallel,
    publications,
    tryReviewed,
    elsewhere,
    certificates,
    shares: sharing.shares,
    transcriptOf,
    keptData,
    databases: createDatabases({
      preview: async (project, work) => work(await (await runtimes.get(project)).workspace()),
      published: publications.withFiles,
      hasPostgres: base.appsPostgres !== undefined,
    }),
    mcp,
    ...describeServer(base, previews, options),
    gitSignIns: createDeviceSignIns({
      clients: base.settings.gitClients,
      saveLogin: gitLogins(store, base.dataDirectory).put,
      clock: systemClock,
    }),
    dataDirectory: base.dataDirectory,
    previewOrigin: previews.previewOrigin,
    async takePicture(record, { port, ...shot }) {
      if (!previews.browser) throw new BrowserError("No browser is set up.");
      return previews.browser.screenshot({ ...shot, ...(await previews.reachOf(record, port)) });
    },
    async readStyle(record, address, look) {
      if (!previews.browser) throw new BrowserError("No browser is set up.");
      const { hosts = [], ...reach } = await previews.reachOf(record);
      return previews.browser.style({
        ...reach,
        ...look,
        hosts: [...hosts, address.hostname],
        staticHosts: true,
        address: address.href,
      });
    },
    ...base.people,
    boltChat: createBoltChat({
      store,
      runtimes,
      projects,
      models,
      pageOf: (project) => `${appOrigin()}/p/${project}`,
    }),
    now,
    ...saved,
  };
  const toolServer = serveMcp({ origin: appOrigin });
  const page = options.webDirectory
    ? staticPage(options.webDirectory, () => pagePolicy(base.address.previewSource()))
    : undefined;
  const { onRequest } = options;
  const app = createApp({ toolServer, services, page, onNotice, onRequest, ...guards });
  const rooms = createRooms(store);
  const { accounts } = base.people;
  const together = accounts && { rooms, people: accounts.people };
  const upgrades = createUpgrade({ store, runtimes, tabs, together, ...guards });
  return { app, upgrades, rooms, toolServer, settings, comparisons, parallel, comparisonWork };
}

import { currentAuthor } from "@treadle/accounts";
import { createKeptData } from "@treadle/app-database";
import { createMcpHub } from "@treadle/tool-servers";
import type { Base, Parts } from "./assemble-base.ts";
import type { Previews } from "./assemble-previews.ts";
import { createListedFolders } from "./projects/listed-folders.ts";
import { createProjectService } from "./projects/project-service.ts";
import { openRuntimes } from "./runtime/runtimes.ts";
import type { TreadleOptions } from "./types.ts";

export type Projects = Awaited<ReturnType<typeof openProjects>>;

/** The third layer: projects and all work in them. From here on, the lower layers can look up projects. */
export async function openProjects(
  base: Base,
  { browserOf, copiesOf }: Previews,
  options: TreadleOptions,
  parts: Parts,
) {
  const { store, models, clock, lookup, appOrigin, dataDirectory, onNotice, now, saved } = base;
  const { idleMs, historyBytes, verdicts } = base.settings;
  const mcp = createMcpHub({
    store,
    shared: parts.sharedSettings,
    env: options.env,
    appOrigin,
    workspaceOf: async (project) => (await lookup.runtimeOf(project)).workspace(),
    onNotice,
  });
  const keptData = createKeptData({
    folderOf: saved.folderOf,
    hasPostgres: parts.appsPostgres !== undefined,
  });
  const runtimes = await openRuntimes({
    store,
    ownership: base.ownership,
    driver: base.driver,
    models,
    runTurn: parts.runTurn,
    gatherEvidence: parts.gatherEvidence,
    keptData,
    browserOf,
    copiesOf,
    readTemplate: parts.readTemplate,
    tabAddress: (project) => `${appOrigin()}/tab/${project}`,
    mcp,
    published: lookup.published,
    sharedUsage: lookup.sharedUsage,
    line: base.people.line,
    ...(parts.accounts && { author: currentAuthor(parts.accounts.people) }),
    onLogged(project, event) {
      for (const listener of base.logListeners) listener(project, event);
    },
    // Without a sandbox, commands run as the person who started the server.
    approvalMode: options.unsafeNoSandbox ? "safe" : "auto",
    clock,
    verdicts,
    dataDirectory,
    sharedDirectory: options.sharedDirectory,
    idleMs,
    historyBytes,
    onNotice,
  });
  lookup.connect(runtimes);
  const projects = createProjectService({ store, runtimes, models, now, ...saved });
  const folders = createListedFolders({ dataDirectory, store, projects, runtimes, onNotice });
  return { mcp, keptData, runtimes, projects, folders };
}

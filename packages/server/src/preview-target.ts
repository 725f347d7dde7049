import type { PreviewLimit, PreviewTarget } from "@treadle/gateway";
import type { ProjectLookup } from "./runtime/project-lookup.ts";
import { sourceText } from "./runtime/source-text.ts";

/** A project's preview for the gateway; undefined if there is no such project. */
export async function previewTarget(
  projects: Pick<ProjectLookup, "projectOf" | "runtimeOf">,
  capability: string,
  limitOf: (project: string) => Promise<PreviewLimit | undefined>,
): Promise<PreviewTarget | undefined> {
  const project = projects.projectOf(capability);
  if (project === undefined) return undefined;
  const runtime = await projects.runtimeOf(project);
  return {
    project,
    ports: () => runtime.holder.ports(),
    // A request does not open a sandbox: without one, nothing is listening.
    connect: async (port) => {
      if (!runtime.holder.current()) throw new Error("The project's server is not running.");
      const stream = await (await runtime.workspace()).connect(port);
      // An open connection means that somebody is looking at the page.
      const leave = runtime.watch();
      stream.once("close", leave);
      if (stream.destroyed) leave();
      return stream;
    },
    revision: async () => runtime.view.revision,
    source: (path) => sourceText(runtime, path),
    state: () => runtime.view.server?.state,
    isAsleep: () => runtime.view.server?.asleep === true,
    wake: () => runtime.wake(),
    limit: () => limitOf(project),
    onPage: () => runtime.personPage.begins(),
    onRequest: () => runtime.personPage.goesOn(),
    onDrawn: () => runtime.personPage.drawn(),
    onReport: (report) => runtime.onReport(report),
  };
}

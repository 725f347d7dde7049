import type { PreviewTarget } from "./gateway/types.ts";
import type { Runtimes } from "./runtime/runtimes.ts";

/** A project's preview as the gateway needs it; undefined where no project has that name. */
export async function previewTarget(
  runtimes: Runtimes,
  capability: string,
): Promise<PreviewTarget | undefined> {
  const project = runtimes.projectOf(capability);
  if (project === undefined) return undefined;
  const runtime = await runtimes.of(project);
  return {
    project,
    ports: () => runtime.holder.ports(),
    // A preview that is asked for does not open a sandbox: without one, nothing listens.
    connect: async (port) => {
      if (!runtime.holder.current()) throw new Error("The project's server is not running.");
      return (await runtime.workspace()).connect(port);
    },
    revision: async () => runtime.view.revision,
    state: () => runtime.view.server?.state,
    onReport: (report) => runtime.onReport(report),
  };
}

import type { McpProposal } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import type { McpStore } from "./mcp-store.ts";
import { readProposals, type ReadProposal } from "./read-proposals.ts";

/** Servers requested by a project's own files and not accepted yet (A32). */
export function createProposals(options: {
  store: McpStore;
  workspaceOf(project: string): Promise<Workspace>;
  onNotice(text: string): void;
}) {
  const noticed = new Set<string>();

  async function left(project: string, workspace: Workspace): Promise<ReadProposal[]> {
    const read = await readProposals(workspace);
    const own = await options.store.servers({ project });
    return read.filter(
      ({ name, server }) =>
        !Object.hasOwn(own, name) || JSON.stringify(own[name]?.config) !== JSON.stringify(server),
    );
  }

  return {
    async list(project: string): Promise<McpProposal[]> {
      const found = await left(project, await options.workspaceOf(project));
      return found.map(({ path, name, where, config, digest }) => ({
        path,
        name,
        where,
        config,
        digest,
      }));
    },

    /** Finds exactly the proposal that was shown. */
    async find(project: string, digest: string): Promise<ReadProposal | undefined> {
      const read = await readProposals(await options.workspaceOf(project));
      return read.find((one) => one.digest === digest);
    },

    /** Tells the person who started Treadle once that a project's own file starts nothing. */
    async notice(project: string, workspace: Workspace): Promise<void> {
      const found = await left(project, workspace);
      const fresh = found.filter(({ digest }) => !noticed.has(`${project} ${digest}`));
      for (const { digest } of fresh) noticed.add(`${project} ${digest}`);
      const [first] = fresh;
      if (first)
        options.onNotice(
          `${first.path} asks for tool servers (${fresh.map(({ name }) => name).join(", ")}). A project's own file starts none: accept them in the project's settings on the page, or set them up for all projects.`,
        );
    },
  };
}

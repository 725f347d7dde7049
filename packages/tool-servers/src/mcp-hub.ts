import { sentence, sentenceIn } from "@treadle/protocol/sentences";
import { definitionDigest, type McpTool } from "@treadle/agent";
import type { McpServerInfo, MissingServer } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import type { Workspace } from "@treadle/workspace";
import { ApiFailure, createSemaphore, inTime } from "@treadle/common";
import { createAllowances } from "./allowances.ts";
import { createInstances } from "./instances.ts";
import { createMcpStore, type McpScope } from "./mcp-store.ts";
import { promptMessage } from "./prompt-message.ts";
import { createProposals } from "./proposals.ts";
import { runTool } from "./run-tool.ts";
import { serverInfo } from "./server-info.ts";
import { createSetUpServers } from "./set-up-servers.ts";
import { createSigningIn } from "./signing-in.ts";
import type { ToolServer } from "./tool-server.ts";
import type { McpHub, RunTools } from "./types.ts";

/** How long a run waits for a server that is starting, and for one that failed the last time, in milliseconds. */
const START_WAIT_MS = 30_000;
const AGAIN_WAIT_MS = 3_000;
/** How long the page waits for a changed list of tools, in milliseconds. */
const RELIST_MS = 1_000;
const never = new AbortController().signal;

function missingServer(name: string, { state, problem }: ToolServer): MissingServer {
  const starting = problem ? sentenceIn(problem) : sentence("mcp-still-starting");
  const { text, coded } = state === "sign-in" ? sentence("mcp-needs-sign-in") : starting;
  return { name, why: text, whyCode: coded };
}

const relisted = (server: ToolServer): Promise<boolean> =>
  server.listChanges().then(
    () => true,
    () => false,
  );

/** Creates the hub: combines configured servers, running instances, permissions and projects' proposals. */
export function createMcpHub(options: {
  store: Store;
  /** Settings of a data folder that is shared with other servers. */
  shared?: ReadonlyMap<string, unknown>;
  env: Record<string, string | undefined>;
  appOrigin(): string;
  workspaceOf(project: string): Promise<Workspace>;
  onNotice(text: string): void;
}): McpHub {
  const mcpStore = createMcpStore(options.store, options.shared ?? new Map());
  const allowances = createAllowances(mcpStore);
  const instances = createInstances({ ...options, store: mcpStore });
  const setUp = createSetUpServers({ store: mcpStore, instances });
  const proposals = createProposals({ ...options, store: mcpStore });
  const signingIn = createSigningIn(instances);
  const { hold: inTurn } = createSemaphore(1);

  /** Names of the tools that the last turn was given, by project and server. */
  const given = new Map<string, ReadonlySet<string>>();

  async function named(project: string, name: string): Promise<ToolServer> {
    return (await instances.instanceFor(await setUp.named(project, name), project)).server;
  }

  return {
    async toolsFor(project, workspace, signal) {
      const servers = (await setUp.serversOf(project)).filter(({ entry }) => entry.enabled);
      await proposals.notice(project, workspace);
      const own = await mcpStore.allowed({ project });
      const all = await mcpStore.allowed("global");
      const missing: RunTools["missing"] = [];
      const tools = servers.map(async (one): Promise<McpTool[]> => {
        const { server } = await instances.instanceFor(one, project);
        const failed = server.state === "failed" || server.state === "sign-in";
        if (!(await inTime(server.refresh(), failed ? AGAIN_WAIT_MS : START_WAIT_MS, signal))) {
          // A stopped turn does not wait for its servers.
          if (!signal.aborted) missing.push(missingServer(one.name, server));
          return [];
        }
        const allowed = allowances.find(one.place, one.name, own, all);
        given.set(`${project} ${one.name}`, new Set(server.definitions.map(({ name }) => name)));
        return server.definitions.map((definition) =>
          runTool(server, one.name, one.entry.config, definition, () => allowed[definition.name]),
        );
      });
      const found = (await Promise.all(tools)).flat();
      return { tools: found, missing: missing.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
    },

    async overview(project) {
      const own = project === undefined ? {} : await mcpStore.allowed({ project });
      const all = await mcpStore.allowed("global");
      const servers: McpServerInfo[] = [];
      for (const one of await setUp.serversOf(project)) {
        const { server, signIn } = await instances.best(one, project);
        if (server.isAnnounced) await inTime(relisted(server), RELIST_MS, never);
        servers.push(
          serverInfo({
            setUp: one,
            server,
            allowed: allowances.find(one.place, one.name, own, all),
            signs: signIn !== undefined,
            given: given.get(`${project} ${one.name}`),
          }),
        );
      }
      return { servers, proposals: project === undefined ? [] : await proposals.list(project) };
    },

    save: (place, text, isOn) => inTurn(() => setUp.save(place, text, isOn)),
    update: (place, name, change) => inTurn(() => setUp.update(place, name, change)),
    remove: (place, name) =>
      inTurn(async () => {
        await setUp.remove(place, name);
        await allowances.forget(place, name);
      }),

    async restart(place, name, project) {
      const found = await setUp.find(place, name);
      const { server } = await instances.instanceFor(found, project);
      await server.close();
      if (found.entry.enabled) await server.refresh();
    },

    allow: ({ place, name, tool, allowed, project }) =>
      inTurn(async () => {
        const found = await setUp.find(place, name);
        const { server } = await instances.best(found, project);
        const where: McpScope = project === undefined ? place : { project };
        const definitions = server.definitions.filter(
          (one) => tool === undefined || one.name === tool,
        );
        if (allowed) return allowances.allow(where, place, name, found.entry.config, definitions);
        const names = definitions.map((one) => one.name);
        // Otherwise, a permission for all projects would still apply.
        for (const at of new Set<McpScope>([where, place]))
          await allowances.takeBack(at, place, name, names);
      }),

    allowAsked: (project, [name = "", tool, digest]) =>
      inTurn(async () => {
        const found = (await setUp.serversOf(project)).find((one) => one.name === name);
        if (!found) return;
        const { place, entry } = found;
        const { server } = await instances.instanceFor(found, project);
        const definition = server.definitions.find((one) => one.name === tool);
        // The tool has changed since the question, so the person will be asked again.
        if (!definition || definitionDigest(entry.config, definition) !== digest) return;
        await allowances.allow({ project }, place, name, entry.config, [definition]);
      }),

    accept: (project, digest) =>
      inTurn(async () => {
        const found = await proposals.find(project, digest);
        if (!found) throw new ApiFailure(409, "changed", sentence("stale", { what: "file" }));
        await setUp.accept(project, found);
      }),

    beginSignIn: async (place, name) =>
      signingIn.begin(await instances.instanceFor(await setUp.find(place, name))),
    endSignIn: (given) => signingIn.end(given),

    readResource: async (project, name, uri, signal) =>
      (await named(project, name)).readResource(uri, signal),

    async getPrompt(project, name, values, prompt) {
      const answer = await (await named(project, name)).getPrompt(prompt, values);
      return { ...answer, message: promptMessage(name, prompt, answer.text) };
    },

    complete: async (project, name, ...given) => (await named(project, name)).complete(...given),

    async offers(project, start) {
      const found = (await setUp.serversOf(project)).filter(({ entry }) => entry.enabled);
      const servers = found.map(async (one) => {
        const { server } = await instances.instanceFor(one, project);
        // A failed server is restarted by the person or by a turn, not by looking at the list.
        if (start && server.state === "idle") server.refresh().catch(() => undefined);
        const { state, prompts, resources } = server;
        return {
          name: one.name,
          state,
          completes: server.completes,
          prompts: [...prompts],
          resources: [...resources],
        };
      });
      return { servers: await Promise.all(servers) };
    },

    rest: (project) => instances.rest(project),
    async forget(project) {
      for (const key of given.keys()) if (key.startsWith(`${project} `)) given.delete(key);
      await instances.forget(project);
      await mcpStore.forget({ project });
    },
    close: () => instances.close(),
  };
}

import {
  definitionDigest,
  readMcpConfig,
  signIn,
  type McpReach,
  type McpServerConfig,
  type McpTool,
} from "@treadle/agent";
import type { McpServerInfo } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import type { Workspace } from "@treadle/workspace";
import { ApiFailure, notFound } from "../api-failure.ts";
import { createAllowances } from "./allowances.ts";
import { hostPipe } from "./host-pipe.ts";
import { whereOf, withKept } from "./kept-values.ts";
import { createMcpStore, type AllowedTools, type KeptServer, type Place } from "./mcp-store.ts";
import { readProposals, type ReadProposal } from "./read-proposals.ts";
import { runTool } from "./run-tool.ts";
import { sandboxPipe } from "./sandbox-pipe.ts";
import { createSignIn, type SignIn } from "./sign-in.ts";
import { serverInfo } from "./server-info.ts";
import { createToolServer, type ToolServer } from "./tool-server.ts";
import type { McpHub } from "./types.ts";
import { within } from "./within.ts";

/** How long a run waits for a server that is being started, and for one that failed the last time. Milliseconds. */
const START_WAIT_MS = 30_000;
const AGAIN_WAIT_MS = 3_000;
/** Servers of one place. */
const SERVERS = 30;

interface Instance {
  server: ToolServer;
  signIn: SignIn | undefined;
  made: string;
  place: Place;
  name: string;
  url: string | undefined;
}

const scopeOf = (place: Place) => (place === "global" ? "global" : "project");

export function createMcpHub(options: {
  store: Store;
  /** Settings of the data folder that is shared with others. */
  shared?: ReadonlyMap<string, unknown>;
  env: Record<string, string | undefined>;
  appOrigin(): string;
  workspaceOf(project: string): Promise<Workspace>;
  onNotice(text: string): void;
}): McpHub {
  const kept = createMcpStore(options.store, options.shared ?? new Map());
  const allowances = createAllowances(kept);
  const instances = new Map<string, Instance>();
  const noticed = new Set<string>();
  /** Two changes at once would both begin with the same list. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const next = last.then(act, act);
    last = next.catch(() => undefined);
    return next;
  };

  const runsInSandbox = ({ config, trusted }: KeptServer) => config.type === "stdio" && !trusted;

  /** Of a project, its own first: it may stand in place of one of all projects. */
  async function serversOf(project?: string) {
    const found: { place: Place; name: string; entry: KeptServer }[] = [];
    const own = project === undefined ? {} : await kept.servers({ project });
    if (project !== undefined)
      for (const [name, entry] of Object.entries(own))
        found.push({ place: { project }, name, entry });
    for (const [name, entry] of Object.entries(await kept.servers("global")))
      if (!Object.hasOwn(own, name)) found.push({ place: "global", name, entry });
    return found;
  }

  async function entryOf(place: Place, name: string): Promise<KeptServer> {
    const servers = await kept.servers(place);
    const entry = Object.hasOwn(servers, name) ? servers[name] : undefined;
    if (!entry) throw notFound("server");
    return entry;
  }

  function keyOf(place: Place, name: string, entry: KeptServer, project?: string): string {
    if (place !== "global") return `${place.project}/project/${name}`;
    return runsInSandbox(entry) ? `${project ?? ""}/global/${name}` : `/global/${name}`;
  }

  async function instanceOf(
    place: Place,
    name: string,
    entry: KeptServer,
    project?: string,
  ): Promise<Instance> {
    const key = keyOf(place, name, entry, project);
    const made = JSON.stringify([entry.config, entry.trusted]);
    const known = instances.get(key);
    if (known?.made === made) return known;
    await known?.server.close();
    const { config } = entry;
    const own = place === "global" ? project : place.project;
    const signs =
      config.type === "http" &&
      !Object.keys(config.headers).some((header) => header.toLowerCase() === "authorization");
    const person = signs
      ? createSignIn({
          redirect: () => `${options.appOrigin()}/mcp/sign-in`,
          read: () => kept.signedIn(place, name),
          write: (value) => kept.setSignedIn(place, name, value),
        })
      : undefined;
    const instance: Instance = {
      server: createToolServer({
        config,
        reach: () => reach(config, entry.trusted && place === "global", own, person),
      }),
      signIn: person,
      made,
      place,
      name,
      url: config.type === "stdio" ? undefined : config.url,
    };
    instances.set(key, instance);
    return instance;
  }

  async function reach(
    config: McpServerConfig,
    trusted: boolean,
    project: string | undefined,
    person: SignIn | undefined,
  ): Promise<McpReach> {
    if (config.type !== "stdio")
      return { ...config, ...(person ? { signIn: person.provider } : {}) };
    if (trusted) return { pipe: hostPipe(config, options.env) };
    if (project === undefined)
      throw new ApiFailure(
        409,
        "no-project",
        "It runs inside each project's sandbox, and is started there when a turn begins.",
      );
    return { pipe: await sandboxPipe(config, await options.workspaceOf(project)) };
  }

  async function drop(place: Place, name: string): Promise<void> {
    const end = `${scopeOf(place)}/${name}`;
    for (const [key, { server }] of instances) {
      if (!key.endsWith(`/${end}`)) continue;
      if (place !== "global" && !key.startsWith(`${place.project}/`)) continue;
      instances.delete(key);
      await server.close();
    }
  }

  async function infoOf(
    { place, name, entry }: { place: Place; name: string; entry: KeptServer },
    project: string | undefined,
    own: AllowedTools,
    all: AllowedTools,
  ): Promise<McpServerInfo> {
    const { server, signIn: person } = await lookAt(place, name, entry, project);
    const allowed = allowances.of(place, name, own, all);
    return serverInfo({
      name,
      scope: scopeOf(place),
      entry,
      server,
      allowed,
      signs: person !== undefined,
    });
  }

  /**
   * The instance that knows most of it: of one that runs in sandboxes, and is looked at without a project, one that runs
   * in some project's.
   */
  async function lookAt(place: Place, name: string, entry: KeptServer, project?: string) {
    const own = await instanceOf(place, name, entry, project);
    if (place !== "global" || project !== undefined || own.server.definitions.length > 0)
      return own;
    const others = [...instances].filter(
      ([key, { made, server }]) =>
        key.endsWith(`/global/${name}`) && made === own.made && server.definitions.length > 0,
    );
    return others[0]?.[1] ?? own;
  }

  async function named(project: string, name: string): Promise<ToolServer> {
    const found = (await serversOf(project)).find((one) => one.name === name);
    if (!found?.entry.enabled) throw notFound("server");
    return (await instanceOf(found.place, name, found.entry, project)).server;
  }

  const hub: McpHub = {
    async toolsFor(project, workspace, signal) {
      const servers = (await serversOf(project)).filter(({ entry }) => entry.enabled);
      await noticeProposals(project, workspace);
      const own = await kept.allowed({ project });
      const all = await kept.allowed("global");
      const tools = servers.map(async ({ place, name, entry }): Promise<McpTool[]> => {
        const { server } = await instanceOf(place, name, entry, project);
        const failed = server.state === "failed" || server.state === "sign-in";
        if (!(await within(server.refresh(), failed ? AGAIN_WAIT_MS : START_WAIT_MS, signal)))
          return [];
        const allowed = allowances.of(place, name, own, all);
        return server.definitions.map((definition) =>
          runTool(server, name, entry.config, definition, () => allowed[definition.name]),
        );
      });
      return (await Promise.all(tools)).flat();
    },

    async overview(project) {
      const own = project === undefined ? {} : await kept.allowed({ project });
      const all = await kept.allowed("global");
      const servers: McpServerInfo[] = [];
      for (const one of await serversOf(project))
        servers.push(await infoOf(one, project, own, all));
      return { servers, proposals: await proposalsOf(project) };
    },

    save: (place, text) =>
      inTurn(async () => {
        const read = readMcpConfig(text);
        if (!read.ok) throw new ApiFailure(400, "bad-input", read.message);
        const before = await kept.servers(place);
        const next = { ...before };
        for (const [name, config] of Object.entries(read.servers)) {
          const known = Object.hasOwn(before, name) ? before[name] : undefined;
          // Another program is not trusted because the one before it was.
          const same = known !== undefined && whereOf(known.config) === whereOf(config);
          next[name] = {
            config: withKept(config, known?.config),
            enabled: known?.enabled ?? true,
            trusted: same && known.trusted,
          };
        }
        if (Object.keys(next).length > SERVERS)
          throw new ApiFailure(
            409,
            "too-many",
            `There may be ${SERVERS} servers. Remove one first.`,
          );
        await kept.setServers(place, next);
        for (const name of Object.keys(read.servers)) await drop(place, name);
      }),

    update: (place, name, { enabled, trusted }) =>
      inTurn(async () => {
        const entry = await entryOf(place, name);
        if (trusted && (place !== "global" || entry.config.type !== "stdio"))
          throw new ApiFailure(
            400,
            "bad-input",
            "Only a program that is set up for all projects can be trusted: it runs outside of every sandbox.",
          );
        await kept.setServers(place, {
          ...(await kept.servers(place)),
          [name]: {
            ...entry,
            ...(enabled === undefined ? {} : { enabled }),
            ...(trusted === undefined ? {} : { trusted }),
          },
        });
        await drop(place, name);
      }),

    remove: (place, name) =>
      inTurn(async () => {
        await entryOf(place, name);
        const { [name]: _, ...rest } = await kept.servers(place);
        await kept.setServers(place, rest);
        await kept.setSignedIn(place, name, undefined);
        await allowances.forget(place, name);
        await drop(place, name);
      }),

    async restart(place, name, project) {
      const entry = await entryOf(place, name);
      const { server } = await instanceOf(place, name, entry, project);
      await server.close();
      if (entry.enabled) await server.refresh();
    },

    allow: ({ place, name, tool, allowed, project }) =>
      inTurn(async () => {
        const entry = await entryOf(place, name);
        const { server } = await lookAt(place, name, entry, project);
        const where: Place = project === undefined ? place : { project };
        const definitions = server.definitions.filter(
          (one) => tool === undefined || one.name === tool,
        );
        if (allowed) return allowances.allow(where, place, name, entry.config, definitions);
        const names = definitions.map((one) => one.name);
        // What is allowed in all projects would come through again.
        for (const at of new Set<Place>([where, place]))
          await allowances.takeBack(at, place, name, names);
      }),

    allowAsked: (project, [name = "", tool, digest]) =>
      inTurn(async () => {
        const found = (await serversOf(project)).find((one) => one.name === name);
        if (!found) return;
        const { place, entry } = found;
        const { server } = await instanceOf(place, name, entry, project);
        const definition = server.definitions.find((one) => one.name === tool);
        // It changed since it was asked about: it will be asked about again.
        if (!definition || definitionDigest(entry.config, definition) !== digest) return;
        await allowances.allow({ project }, place, name, entry.config, [definition]);
      }),

    accept: (project, digest) =>
      inTurn(async () => {
        const read = await readProposals(await options.workspaceOf(project));
        const found = read.find((one) => one.digest === digest);
        if (!found)
          throw new ApiFailure(
            409,
            "changed",
            "The file is not as it was shown. Look at it again.",
          );
        const before = await kept.servers({ project });
        await kept.setServers(
          { project },
          { ...before, [found.name]: { config: found.server, enabled: true, trusted: false } },
        );
        await drop({ project }, found.name);
      }),

    async beginSignIn(place, name) {
      const entry = await entryOf(place, name);
      const { signIn: person, url, server } = await instanceOf(place, name, entry);
      if (!person || url === undefined)
        throw new ApiFailure(400, "bad-input", "There is nothing to sign in to.");
      if (!(await signed(person, url))) return person.address()?.href;
      await server.refresh();
      return undefined;
    },

    async endSignIn({ code, state, issuer }) {
      for (const { signIn: person, url, server } of instances.values()) {
        if (!person || url === undefined || !(await person.isFor(state))) continue;
        await signed(person, url, { code, state, issuer });
        await server.close();
        await server.refresh();
        return;
      }
      throw new ApiFailure(400, "bad-input", "Nobody began to sign in like this. Begin again.");
    },

    readResource: async (project, name, uri) => (await named(project, name)).readResource(uri),
    getPrompt: async (project, name, values, prompt) =>
      (await named(project, name)).getPrompt(prompt, values),

    async rest(project) {
      const own = [...instances].filter(([key]) => key.startsWith(`${project}/`));
      await Promise.all(own.map(([, { server }]) => server.close()));
    },
    async forget(project) {
      for (const [key, { server }] of instances)
        if (key.startsWith(`${project}/`)) {
          instances.delete(key);
          await server.close();
        }
      await kept.forget({ project });
    },
    async close() {
      await Promise.all([...instances.values()].map(({ server }) => server.close()));
      instances.clear();
    },
  };
  return hub;

  async function signed(
    person: SignIn,
    url: string,
    given?: { code: string; state: string; issuer?: string | undefined },
  ): Promise<boolean> {
    try {
      return await signIn(person.provider, url, given);
    } catch (error) {
      throw new ApiFailure(409, "sign-in", (error as Error).message);
    }
  }

  async function proposalsOf(project: string | undefined) {
    if (project === undefined) return [];
    const read = await readProposals(await options.workspaceOf(project));
    const left = await unaccepted(project, read);
    return left.map(({ path, name, where, config, digest }) => ({
      path,
      name,
      where,
      config,
      digest,
    }));
  }

  async function unaccepted(project: string, read: ReadProposal[]) {
    const own = await kept.servers({ project });
    return read.filter(
      ({ name, server }) =>
        !Object.hasOwn(own, name) || JSON.stringify(own[name]?.config) !== JSON.stringify(server),
    );
  }

  /** Whoever started the server is told once that a project's own file starts nothing (A32). */
  async function noticeProposals(project: string, workspace: Workspace): Promise<void> {
    const left = await unaccepted(project, await readProposals(workspace));
    const fresh = left.filter(({ digest }) => !noticed.has(`${project} ${digest}`));
    for (const { digest } of fresh) noticed.add(`${project} ${digest}`);
    const [first] = fresh;
    if (first)
      options.onNotice(
        `${first.path} asks for tool servers (${fresh.map(({ name }) => name).join(", ")}). A project's own file starts none: accept them in the project's settings on the page, or set them up for all projects.`,
      );
  }
}

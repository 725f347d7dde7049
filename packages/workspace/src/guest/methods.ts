import { sentence } from "@treadle/protocol/sentences";
import { readdirSync } from "node:fs";
import type { ProjectPath } from "@treadle/protocol";
import { measureActivity } from "../limits/process-activity.ts";
import { WorkspaceError } from "../types.ts";
import type { GuestConfig } from "../wire/config.ts";
import type { Method, Params, Result } from "../wire/requests.ts";
import { removeMade } from "./remove-made.ts";
import { dataDigest, removeData, takeData } from "./app-data.ts";
import { carriedBytes, dialPort } from "./bridges.ts";
import type { CountedCode } from "./counted-code.ts";
import type { EndedParts } from "./ended-parts.ts";
import type { createFiles } from "./files.ts";
import type { InstallAsks } from "./install-asks.ts";
import { dependencyChanges } from "./dependency-changes.ts";
import { listFiles } from "./list-files.ts";
import { madeChanges } from "./made-changes.ts";
import { createManifest } from "./manifest.ts";
import { createMadeRepositories } from "./made-repositories.ts";
import type { OutsideNames } from "./outside-names.ts";
import type { createPipes } from "./pipes.ts";
import type { Processes } from "./processes.ts";
import { makeRoom, moveIn } from "./root-repository.ts";
import { search } from "./search.ts";
import type { Sources } from "../sources/sources.ts";
import type { createQuickNpm } from "./quick-npm.ts";
import type { createTerminals } from "./terminals.ts";
import type { TakenDials } from "./taken-dials.ts";
import { createTransfers } from "./transfers.ts";

/** The body of a response, besides its number; empty if the method has no result. */
export type MethodResult<M extends Method> =
  | { result: Result<M>; body?: Uint8Array }
  | (Result<M> extends undefined ? { body?: Uint8Array } | void : never);

export type Methods = {
  [M in Method]: (
    params: Params<M>,
    body: Uint8Array,
  ) => MethodResult<M> | Promise<MethodResult<M>>;
};

/** The guest's implementation of each request of the host. All throw WorkspaceError. */
export function createMethods(
  config: GuestConfig,
  parts: {
    files: ReturnType<typeof createFiles>;
    processes: Processes;
    pipes: ReturnType<typeof createPipes>;
    terminals: ReturnType<typeof createTerminals>;
    shortWays: ReturnType<typeof createQuickNpm>;
    sources: Sources;
    asks: InstallAsks;
    dials: TakenDials;
    counted: CountedCode;
    ends: EndedParts | undefined;
    names: OutsideNames | undefined;
    tellChanges(): void;
    /** Schedules a full look by the watch. */
    lookSoon(): void;
  },
): Methods {
  const { files, processes, pipes, terminals, shortWays, asks, dials, counted, ends } = parts;
  const { root } = config;
  const transfers = createTransfers(files);
  const { sources } = parts;
  const manifest = createManifest(root, config.secretKey, { sources });
  const output = createManifest(root, config.secretKey, { source: "output", sources });
  /** Marks a path as a source, because the host only writes for the model or the person. */
  const write = (path: ProjectPath): void => {
    // A folder without any of the project's own files is not watched.
    if (sources.write(path)) parts.lookSoon();
  };
  const setRepositoriesAside = config.keptRepositories
    ? createMadeRepositories(root, config.keptRepositories)
    : () => [];
  /** The last command that was started with code counting. */
  let countedProcess: string | undefined;
  /** Running processes besides commands. */
  const others = () => [...terminals.list(), ...pipes.list()];

  return {
    alive() {},
    async read({ path, limit }) {
      const { bytes, version } = await files.read(path, limit);
      return { result: { version }, body: bytes };
    },
    async write({ path, ifVersion, executable }, body) {
      write(path);
      return { result: await files.write(path, body, { ifVersion, executable }) };
    },
    "read-open": async ({ path }) => ({ result: await transfers.openReader(path) }),
    "read-next": async ({ handle }) => ({ body: await transfers.read(handle) }),
    async "draft-open"({ path, executable }) {
      write(path);
      return { result: await transfers.openDraft(path, executable) };
    },
    "draft-append": ({ handle }, body) => transfers.append(handle, body),
    "draft-commit": async ({ handle, ifVersion }) => ({
      result: await transfers.commit(handle, ifVersion),
    }),
    "transfer-close": ({ handle }) => transfers.close(handle),
    link({ path, to }) {
      write(path);
      return files.link(path, to);
    },
    prune: ({ path }) => files.prune(path),
    async remove({ path, ifVersion }) {
      await files.remove(path, ifVersion);
      sources.remove(path);
    },
    async rename({ from, to }) {
      await files.rename(from, to);
      sources.remove(from);
      write(to);
    },
    list: (options) => ({ result: listFiles(root, sources, options) }),
    search: async (query) => ({ result: await search(root, sources, config.ripgrep, query) }),
    "list-raw": ({ path }) => ({ result: listRaw(`${root}/${path}`) }),
    "source-facts"({ written: paths, states }) {
      sources.setWritten(paths);
      sources.setStates(states);
    },
    "dependency-changes": async (asked) => ({
      result: await dependencyChanges(root, sources, asked),
    }),
    "made-changes": async (asked) => ({
      result: await madeChanges(root, config.env["HOME"] ?? root, sources, asked),
    }),
    manifest: ({ known }) => ({ result: manifest(known) }),
    "output-manifest": ({ known }) => ({ result: output(known) }),
    "tell-changes": () => parts.tellChanges(),
    "root-room": ({ madeInside }) => ({ result: makeRoom(root, madeInside) }),
    "root-move-in": async ({ path }) => void (await moveIn(root, path)),
    "remove-made": () => removeMade(root, sources),
    "remove-data": ({ paths }) => removeData(root, sources, paths),
    "take-data": ({ paths }) => takeData(root, sources, paths, config.original),
    "data-digest": ({ paths }) => ({ result: dataDigest(root, sources, paths) }),
    "set-repositories-aside": () => ({ result: setRepositoriesAside() }),
    async start({ process: id, command, env: given, openInput, takesDials, countsCode }) {
      if (countsCode) countedProcess = id;
      let env = { ...given, ...(takesDials && dials.env), ...(countsCode && counted.start()) };
      // A command that waits for input is a server.
      if (openInput && ends) env = { ...env, ...ends.start(env) };
      if (!(await shortWays.start(id, command, env, openInput)))
        processes.start(id, command, { env, openInput });
    },
    "ran-code": async ({ names }) => ({
      result:
        countedProcess === undefined
          ? { isWhole: false, scripts: [] }
          : await counted.ran(names, processes.familyOf(countedProcess)),
    }),
    "ended-parts": () => ({ result: ends?.read() ?? [] }),
    activity({ process: id }) {
      const { cpuMs, bytes } = measureActivity(processes.familyOf(id));
      // Not every way of receiving is counted per process.
      return { result: { cpuMs, bytes: bytes + carriedBytes() } };
    },
    async kill({ process: id }) {
      if (!shortWays.kill(id)) await processes.kill(id);
    },
    "end-all": async () => ({ result: await processes.endAll(others()) }),
    "end-left-behind": ({ but }) =>
      processes.endLeftBehind(but === undefined ? others() : [...others(), but]),
    "left-behind": () => ({
      result: { now: Date.now(), isAny: processes.anyLeftBehind(others()) },
    }),
    "pipe-start": ({ process: id, command, env }) => pipes.start(id, command, env),
    "pipe-write": ({ process: id }, body) => pipes.write(id, body),
    "pipe-kill": ({ process: id }) => processes.kill(id, pipes.pidOf(id)),
    async dial({ port, token }) {
      // The outgoing sockets are for programs in the sandbox, not for a preview.
      if (config.ways.some((way) => way.port === port))
        throw new WorkspaceError("port", sentence("port-not-project", { port }));
      const dial = { port, token, streamSocket: `${config.sockets}/stream.sock` };
      if (!(await dials.take(dial))) await dialPort(dial);
    },
    "offer-names": ({ hosts }) => parts.names?.offer(hosts),
    "terminal-start": ({ terminal, columns, rows }) => terminals.start(terminal, columns, rows),
    "terminal-write": ({ terminal }, body) =>
      terminals.write(terminal, Buffer.from(body).toString()),
    "terminal-resize": ({ terminal, columns, rows }) => terminals.resize(terminal, columns, rows),
    async "terminal-kill"({ terminal }) {
      terminals.kill(terminal);
      await processes.kill(terminal);
    },
    "install-say": ({ ask, text }) => asks.say(ask, text),
    "install-answer": ({ ask, answer }) => asks.answer(ask, answer),
  };
}

/** Names in one folder, including ignored ones; empty if there is no such folder. */
function listRaw(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

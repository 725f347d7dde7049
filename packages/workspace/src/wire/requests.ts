/**
 * What the host asks of a guest. Each line of the table is a request: its parameters, and what an answer is made of. Both
 * ends have their types from it, and each checks by it what the other one says: a request that is none is answered with
 * why, an answer that is none ends its sandbox.
 */
import {
  byName,
  flag,
  list,
  matching,
  maybe,
  oneOf,
  record,
  text,
  integer,
  yesOrNo,
  type ValueCheck,
  type Checked,
} from "./checks.ts";
import { countedScripts } from "./counted-script.ts";
import { endedParts } from "./ended-part.ts";
import { installAnswer } from "./install.ts";
import { id } from "./messages.ts";
import { askedPath, namedFolder, namedPath } from "./named-path.ts";

/** Of one list that a guest gives. */
export const MAX_ENTRIES = 1_000_000;
const digest = matching(/^[0-9a-f]{1,128}$/);
const handle = integer(0);
/** A path of one part. */
const fileName: ValueCheck<string> = namedPath;
/** As long as a frame allows. */
const anyText = text(Infinity);
const nothing: ValueCheck<undefined> = () => undefined;
const none = record({});
const written = record({ version: digest, size: integer(0), created: yesOrNo });
const size = { columns: integer(1, 100_000), rows: integer(1, 100_000) };
/** A shell command, and what its environment has besides. */
const command = record({ process: id, command: anyText, env: maybe(byName(anyText)) });
/**
 * With `openInput` its input never ends; else there is none. With `takesDials` it may answer dials of its ports
 * itself; with `countsCode` its programs in Node count what runs of the project's code.
 */
const started = record({
  process: id,
  command: anyText,
  env: maybe(byName(anyText)),
  openInput: maybe(yesOrNo),
  takesDials: maybe(yesOrNo),
  countsCode: maybe(yesOrNo),
});

const manifestEntry = record({
  path: namedPath,
  mode: oneOf("100644", "100755", "120000"),
  /** Git's blob id, or for `.env*` a keyed digest that tells nothing of the content. */
  hash: matching(/^[0-9a-f]{40}$/),
  secret: flag,
});
/** One entry of a revision. */
export type ManifestEntry = Checked<typeof manifestEntry>;

/** What is beyond a limit of `sources/limits.ts`, or cannot be read. */
const leftOut = list(
  record({ path: namedPath, why: oneOf("depth", "count", "size", "unreadable") }),
  1_000,
);

/** `at`: its time of change, in milliseconds since 1970. */
const changedFile = record({ path: namedPath, at: integer(0) });

const manifestChanges = record({
  /** What the next question names. */
  state: text(64),
  /** Whether `changed` is every file there is, in the order of a walk through the folders. */
  whole: yesOrNo,
  changed: list(manifestEntry, MAX_ENTRIES),
  /** To be taken away before what changed is put in. */
  gone: list(namedPath, MAX_ENTRIES),
  leftOut,
});
/** What is another since the answer that a question named, or all of it. */
export type ManifestChanges = Checked<typeof manifestChanges>;

const asks = <P, R>(params: ValueCheck<P>, result: ValueCheck<R>) => ({ params, result });

const REQUESTS = {
  /** Nothing but an answer. */
  alive: asks(none, nothing),
  /** The content is the answer's body. */
  read: asks(record({ path: askedPath, limit: maybe(integer(0)) }), record({ version: digest })),
  /** The content is the request's body. `ifVersion`: a file's version, `absent`, or `blob:` and git's id of its content. */
  write: asks(
    record({ path: askedPath, ifVersion: maybe(text()), executable: maybe(yesOrNo) }),
    written,
  ),
  /** A file that travels in pieces, each the body of an answer; an empty one is its end. */
  "read-open": asks(record({ path: askedPath }), record({ handle, size: integer(0) })),
  "read-next": asks(record({ handle }), nothing),
  /** The same the other way round. */
  "draft-open": asks(record({ path: askedPath, executable: maybe(yesOrNo) }), record({ handle })),
  "draft-append": asks(record({ handle }), nothing),
  "draft-commit": asks(record({ handle, ifVersion: maybe(text()) }), written),
  /** Ends an upload or a download, whatever its outcome. */
  "transfer-close": asks(record({ handle }), nothing),
  link: asks(record({ path: askedPath, to: anyText }), nothing),
  /** Takes empty folders away, from this one upwards. */
  prune: asks(record({ path: askedPath }), nothing),
  remove: asks(record({ path: askedPath, ifVersion: maybe(text()) }), nothing),
  rename: asks(record({ from: askedPath, to: askedPath }), nothing),
  list: asks(
    record({
      under: maybe(askedPath),
      limit: maybe(integer(0)),
      only: maybe(oneOf("obeyed", "manifests")),
    }),
    record({
      files: list(
        record({
          path: namedPath,
          kind: oneOf("file", "folder", "link", "other"),
          size: integer(0),
        }),
        MAX_ENTRIES,
      ),
      more: yesOrNo,
      leftOut,
    }),
  ),
  search: asks(
    record({
      pattern: anyText,
      regex: maybe(yesOrNo),
      caseSensitive: maybe(yesOrNo),
      under: maybe(askedPath),
      glob: maybe(anyText),
      leaveOut: maybe(anyText),
      limit: maybe(integer(0)),
      around: maybe(integer(0)),
    }),
    record({
      matches: list(
        record({ path: namedPath, line: integer(0), text: text(), beside: flag }),
        MAX_ENTRIES,
      ),
      more: yesOrNo,
    }),
  ),
  /** Names in one folder, ignored ones included. None where there is no folder. */
  "list-raw": asks(record({ path: askedPath }), list(fileName, MAX_ENTRIES)),
  /** `known`: the `state` of the last answer, where there was one. */
  manifest: asks(record({ known: maybe(text(64)) }), manifestChanges),
  /** Files of installed packages written since a time, and those of `kept` that are unchanged. */
  "dependency-changes": asks(
    record({ since: maybe(integer(0)), kept: list(changedFile, 1_000) }),
    record({
      /** The guest's own time. */
      now: integer(0),
      changed: list(changedFile, 1_000),
    }),
  ),
  /** Files written in time spans outside the project's own files and packages: outermost paths, at most 20. */
  "made-changes": asks(
    record({ spans: list(record({ from: integer(0), to: integer(0) }), 1_000) }),
    record({
      made: list(namedPath, 1_000),
      /** Downloaded files that no lock file covers. */
      isFetchedChanged: yesOrNo,
    }),
  ),
  /** What the model and the person wrote in the time of earlier guests, and folders in which tools keep their state. */
  "source-facts": asks(
    record({
      written: list(namedPath, MAX_ENTRIES),
      states: list(namedPath, 1_000),
    }),
    nothing,
  ),
  /** The same of what is left out of a project as the output of builds. */
  "output-manifest": asks(record({ known: maybe(text(64)) }), manifestChanges),
  /** Reports all pending changes before the answer, because there is no later opportunity. */
  "tell-changes": asks(none, nothing),
  /** Where a repository at the root is called now; empty where there was none. */
  "root-room": asks(record({ madeInside: yesOrNo }), namedFolder),
  "root-move-in": asks(record({ path: namedFolder }), nothing),
  /** Gives a layer over a project its own copy of the app's data; `paths`: what else is data. */
  "take-data": asks(record({ paths: list(askedPath, MAX_ENTRIES) }), nothing),
  /** Leaves in a layer over a project what is its own: no installed packages, no output of builds, no state of tools. */
  "remove-data": asks(record({ paths: list(askedPath, MAX_ENTRIES) }), nothing),
  "remove-made": asks(none, nothing),
  /** Changes with every write to the app's data. */
  "data-digest": asks(record({ paths: list(askedPath, MAX_ENTRIES) }), digest),
  /** What the repositories are called now that were made inside. */
  "set-repositories-aside": asks(none, list(namedFolder, 1_000)),
  start: asks(started, nothing),
  /**
   * What ran of the project's code since this was asked last, or since the start that had it counted. `names`: parts of the
   * paths that are asked about. `isWhole`: everything counts that could have run any of it.
   */
  "ran-code": asks(
    record({ names: list(text(), 1_000) }),
    record({ isWhole: yesOrNo, scripts: countedScripts }),
  ),
  /** Parts of the server that was started last, which ended while others of it go on. */
  "ended-parts": asks(none, endedParts),
  activity: asks(record({ process: id }), record({ cpuMs: integer(0), bytes: integer(0) })),
  kill: asks(record({ process: id }), nothing),
  /** Whether all could be ended. */
  "end-all": asks(none, yesOrNo),
  /** Ends what commands that are over have left running; `but` is left alone with its children. */
  "end-left-behind": asks(record({ but: maybe(id) }), nothing),
  /** The guest's own time, and whether commands that are over have left something running. */
  "left-behind": asks(none, record({ now: integer(0), isAny: yesOrNo })),
  "pipe-start": asks(command, nothing),
  "pipe-write": asks(record({ process: id }), nothing),
  "pipe-kill": asks(record({ process: id }), nothing),
  /** A connection to a port inside, which then comes as a byte stream that begins with the token. */
  dial: asks(record({ port: integer(0, 65_535), token: matching(/^[0-9a-f]{32}$/) }), nothing),
  /** Hosts outside that are found by their names, as a project's list has them. */
  "offer-names": asks(record({ hosts: list(text(400), 2_000) }), nothing),
  "terminal-start": asks(record({ terminal: id, ...size }), nothing),
  "terminal-write": asks(record({ terminal: id }), nothing),
  "terminal-resize": asks(record({ terminal: id, ...size }), nothing),
  "terminal-kill": asks(record({ terminal: id }), nothing),
  "install-say": asks(record({ ask: integer(0), text: anyText }), nothing),
  "install-answer": asks(record({ ask: integer(0), answer: installAnswer }), nothing),
};

export type Method = keyof typeof REQUESTS;
export type Params<M extends Method> = Checked<(typeof REQUESTS)[M]["params"]>;
export type Result<M extends Method> = Checked<(typeof REQUESTS)[M]["result"]>;

/** Host → guest. `id` is answered by exactly one reply of the same id. */
export type GuestRequest<M extends Method = Method> = {
  [Each in M]: { id: number; method: Each; params: Params<Each> };
}[M];

/** Those that change nothing, and so may be asked twice where nobody knows what became of the first time. */
const REPEATABLE: ReadonlySet<Method> = new Set<Method>([
  "alive",
  "read",
  "list",
  "search",
  "list-raw",
  "manifest",
  "output-manifest",
  "data-digest",
  "left-behind",
  "made-changes",
]);

export const isRepeatable = (method: Method): boolean => REPEATABLE.has(method);

export const isMethod = (name: unknown): name is Method =>
  typeof name === "string" && Object.hasOwn(REQUESTS, name);

/** @throws FrameError for what are no parameters of it; WorkspaceError `path` for a path that is none */
export const readParams = <M extends Method>(method: M, given: unknown): Params<M> =>
  REQUESTS[method].params(given) as Params<M>;

/** @throws FrameError for what is no answer to it */
export const readResult = <M extends Method>(method: M, given: unknown): Result<M> =>
  REQUESTS[method].result(given) as Result<M>;

/** A request as it comes; its parameters are for `readParams`. */
export const requestHead = record({ id: integer(0), method: text() });

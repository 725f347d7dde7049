/**
 * The host's requests to a guest. Each row of the table defines a request: its parameters and its
 * result. Both ends derive their types from it and validate each other's messages by it: an invalid
 * request gets an error as its response, an invalid response ends the sandbox.
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

/** Maximum length of a list from a guest. */
export const MAX_ENTRIES = 1_000_000;
const digest = matching(/^[0-9a-f]{1,128}$/);
const handle = integer(0);
/** A path with a single part. */
const fileName: ValueCheck<string> = namedPath;
/** Limited only by the size of a frame. */
const anyText = text(Infinity);
const nothing: ValueCheck<undefined> = () => undefined;
const none = record({});
const written = record({ version: digest, size: integer(0), created: yesOrNo });
const size = { columns: integer(1, 100_000), rows: integer(1, 100_000) };
/** A shell command, and additional environment variables. */
const command = record({ process: id, command: anyText, env: maybe(byName(anyText)) });
/**
 * `openInput`: its input stays open; otherwise there is none. `takesDials`: it may accept dials to
 * its ports itself. `countsCode`: its Node programs count which of the project's code runs.
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
  /** Git's blob id, or a keyed digest for `.env*` that does not reveal the content. */
  hash: matching(/^[0-9a-f]{40}$/),
  secret: flag,
});
/** One entry of a revision. */
export type ManifestEntry = Checked<typeof manifestEntry>;

/** Entries that exceed a limit of `sources/limits.ts`, or cannot be read. */
const leftOut = list(
  record({ path: namedPath, why: oneOf("depth", "count", "size", "unreadable") }),
  1_000,
);

/** `at`: its change time, in milliseconds since 1970. */
const changedFile = record({ path: namedPath, at: integer(0) });

const manifestChanges = record({
  /** Identifies this response in the next request. */
  state: text(64),
  /** Whether `changed` contains all files, in the order of a walk through the folders. */
  whole: yesOrNo,
  changed: list(manifestEntry, MAX_ENTRIES),
  /** Paths to remove from the list before the changes are applied. */
  gone: list(namedPath, MAX_ENTRIES),
  leftOut,
});
/** Changes since the response that the request named, or the whole list. */
export type ManifestChanges = Checked<typeof manifestChanges>;

const asks = <P, R>(params: ValueCheck<P>, result: ValueCheck<R>) => ({ params, result });

const REQUESTS = {
  /** Succeeds if the guest is alive. */
  alive: asks(none, nothing),
  /** The content is the body of the response. */
  read: asks(record({ path: askedPath, limit: maybe(integer(0)) }), record({ version: digest })),
  /**
   * The content is the body of the request. `ifVersion`: a file's version, `absent`, or `blob:` and
   * git's id of its content.
   */
  write: asks(
    record({ path: askedPath, ifVersion: maybe(text()), executable: maybe(yesOrNo) }),
    written,
  ),
  /** Reads a file in pieces, each the body of a response; an empty piece marks the end. */
  "read-open": asks(record({ path: askedPath }), record({ handle, size: integer(0) })),
  "read-next": asks(record({ handle }), nothing),
  /** Writes a file in pieces. */
  "draft-open": asks(record({ path: askedPath, executable: maybe(yesOrNo) }), record({ handle })),
  "draft-append": asks(record({ handle }), nothing),
  "draft-commit": asks(record({ handle, ifVersion: maybe(text()) }), written),
  /** Ends an upload or a download, whatever its outcome. */
  "transfer-close": asks(record({ handle }), nothing),
  link: asks(record({ path: askedPath, to: anyText }), nothing),
  /** Removes empty folders, from this one upwards. */
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
  /** Names in one folder, including ignored ones; empty if there is no such folder. */
  "list-raw": asks(record({ path: askedPath }), list(fileName, MAX_ENTRIES)),
  /** `known`: the `state` of the last response, if any. */
  manifest: asks(record({ known: maybe(text(64)) }), manifestChanges),
  /** Files of installed packages written since a time, and those of `kept` that are unchanged. */
  "dependency-changes": asks(
    record({ since: maybe(integer(0)), kept: list(changedFile, 1_000) }),
    record({
      /** The guest's clock. */
      now: integer(0),
      changed: list(changedFile, 1_000),
    }),
  ),
  /**
   * Paths written in spans of time, outside the project's own files and packages: the outermost
   * ones, at most 20.
   */
  "made-changes": asks(
    record({ spans: list(record({ from: integer(0), to: integer(0) }), 1_000) }),
    record({
      made: list(namedPath, 1_000),
      /** Whether downloaded files that no lock file covers have changed. */
      isFetchedChanged: yesOrNo,
    }),
  ),
  /**
   * Paths that the model and the person wrote while earlier guests ran, and folders in which tools
   * store their state.
   */
  "source-facts": asks(
    record({
      written: list(namedPath, MAX_ENTRIES),
      states: list(namedPath, 1_000),
    }),
    nothing,
  ),
  /** As `manifest`, for files that are excluded from a project as build output. */
  "output-manifest": asks(record({ known: maybe(text(64)) }), manifestChanges),
  /** Reports all pending changes before the answer, because there is no later opportunity. */
  "tell-changes": asks(none, nothing),
  /**
   * Frees the path of the project's repository at the root. Returns the new name of a repository that was there, or an
   * empty path.
   */
  "root-room": asks(record({ madeInside: yesOrNo }), namedFolder),
  "root-move-in": asks(record({ path: namedFolder }), nothing),
  /** Gives a layer over a project its own copy of the app's data; `paths`: further data files. */
  "take-data": asks(record({ paths: list(askedPath, MAX_ENTRIES) }), nothing),
  /** Removes the app's data from a layer over a project, as for a new app; `paths`: further data files. */
  "remove-data": asks(record({ paths: list(askedPath, MAX_ENTRIES) }), nothing),
  /**
   * Reduces a layer over a project to the project's own files: removes installed packages, build output and the state
   * of tools.
   */
  "remove-made": asks(none, nothing),
  /** A digest that changes with every write to the app's data. */
  "data-digest": asks(record({ paths: list(askedPath, MAX_ENTRIES) }), digest),
  /** Renames repositories that were made in the sandbox; returns their new names. */
  "set-repositories-aside": asks(none, list(namedFolder, 1_000)),
  start: asks(started, nothing),
  /**
   * The project's code that ran since the last call, or since the start that enabled counting.
   * `names`: parts of the requested paths. `isWhole`: whether every program that could have run any
   * of it counts.
   */
  "ran-code": asks(
    record({ names: list(text(), 1_000) }),
    record({ isWhole: yesOrNo, scripts: countedScripts }),
  ),
  /** Parts of the last started server that exited while others still run. */
  "ended-parts": asks(none, endedParts),
  activity: asks(record({ process: id }), record({ cpuMs: integer(0), bytes: integer(0) })),
  kill: asks(record({ process: id }), nothing),
  /** Ends every process; returns whether all could be ended. */
  "end-all": asks(none, yesOrNo),
  /** Ends processes left running by finished commands, except `but` and its children. */
  "end-left-behind": asks(record({ but: maybe(id) }), nothing),
  /** The guest's clock, and whether finished commands have left processes running. */
  "left-behind": asks(none, record({ now: integer(0), isAny: yesOrNo })),
  "pipe-start": asks(command, nothing),
  "pipe-write": asks(record({ process: id }), nothing),
  "pipe-kill": asks(record({ process: id }), nothing),
  /** Connects to a port in the sandbox; the connection then arrives as a byte stream that begins with the token. */
  dial: asks(record({ port: integer(0, 65_535), token: matching(/^[0-9a-f]{32}$/) }), nothing),
  /** Sets the outside hosts that can be resolved by name, as listed by the project. */
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

/** From the host to the guest. Answered by exactly one reply with the same `id`. */
export type GuestRequest<M extends Method = Method> = {
  [Each in M]: { id: number; method: Each; params: Params<Each> };
}[M];

/** Requests that change nothing, and so can be repeated if the outcome of the first is unknown. */
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

/** @throws FrameError for invalid parameters; WorkspaceError `path` for an invalid path */
export const readParams = <M extends Method>(method: M, given: unknown): Params<M> =>
  REQUESTS[method].params(given) as Params<M>;

/** @throws FrameError for an invalid result */
export const readResult = <M extends Method>(method: M, given: unknown): Result<M> =>
  REQUESTS[method].result(given) as Result<M>;

/** A request before its parameters are parsed by `readParams`. */
export const requestHead = record({ id: integer(0), method: text() });

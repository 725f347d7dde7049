import { headOf } from "@treadle/protocol/safe-text";
import { validRange } from "semver";

/** The requirements of one package.json, as far as they affect node_modules. */
interface WantedOne {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  /** Other fields that affect an install, unchanged; absent if there are none. */
  more?: Record<string, unknown>;
}

/**
 * The requirements of a workspace. Its name and version are in the lock file, and its name in
 * node_modules.
 */
export type WantedWorkspace = WantedOne & { name?: string; version?: string };

/** The requirements of a project. */
export interface Wanted extends WantedOne {
  /** Workspaces by folder; absent if there are none. */
  workspaces?: Record<string, WantedWorkspace>;
}

/** `left`: why the install is left to the package manager, as the end of a sentence. */
export type WantedReading = { wanted: Wanted } | { left: string };

/**
 * The project's own scripts that a package manager runs around an install: they need the project's
 * files.
 */
const OWN_SCRIPTS = ["preinstall", "install", "postinstall", "prepare", "prepublish"];

/** Fields that affect an install and need no file of the project other than package.json. */
const MORE = [
  "optionalDependencies",
  "peerDependencies",
  "overrides",
  "resolutions",
  "pnpm",
  "trustedDependencies",
  "allowScripts",
];

/** Maximum number of workspaces; a project with more is left to its package manager. */
const MOST_WORKSPACES = 20;
/** An explicit folder, not a pattern: `frontend`, `packages/api`. */
const FOLDER = /^(?:\.\/)?([a-z0-9_-][\w.-]*(?:\/[a-z0-9_-][\w.-]*)*)\/?$/i;

/**
 * npm limits names to 214 characters; an invalid package name is not used as a folder name either.
 */
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;
/** `latest`, `next`; a path or an address would contain a slash or a colon. */
const TAG = /^[a-z][a-z0-9._-]*$/i;

/**
 * Folders of a project's workspaces as named in its package.json; `readWanted` needs the
 * package.json of each.
 * @returns empty if there are no workspaces, or they are given as patterns
 */
export function workspaceFolders(manifestText: string): string[] {
  const manifest = parse(manifestText);
  return (isRecord(manifest) && foldersIn(manifest.workspaces)) || [];
}

/**
 * Reads the requirements of a package.json.
 * @param workspaceTexts the package.json of each workspace, by its folder, for all of
 * `workspaceFolders`
 */
export function readWanted(
  manifestText: string,
  workspaceTexts: ReadonlyMap<string, string> = new Map(),
): WantedReading {
  const manifest = parse(manifestText);
  if (manifest === undefined) return { left: "package.json is no JSON" };
  if (!isRecord(manifest)) return { left: "package.json holds no object" };
  const reading = readOne(manifest, "package.json");
  if ("left" in reading || manifest.workspaces === undefined) return reading;
  const workspaces: Record<string, WantedWorkspace> = {};
  const folders = foldersIn(manifest.workspaces);
  if (!folders) return { left: "package.json has workspaces that have to be looked for" };
  for (const folder of folders) {
    const path = `${folder}/package.json`;
    const inner = parse(workspaceTexts.get(folder) ?? "");
    if (!isRecord(inner)) return { left: `${path} cannot be read` };
    for (const field of ["workspaces", "bin", "directories"])
      if (inner[field] !== undefined) return { left: `${path} has ${field}` };
    const one = readOne(inner, path);
    if ("left" in one) return one;
    const { name, version } = inner;
    if (name !== undefined && (typeof name !== "string" || !isName(name)))
      return { left: `${path} has no usual name` };
    workspaces[folder] = {
      name: typeof name === "string" ? name : undefined,
      version: typeof version === "string" ? version : undefined,
      ...one.wanted,
    };
  }
  return { wanted: { ...reading.wanted, workspaces } };
}

/** The packages that one package.json requires. @param path as shown to people */
function readOne(manifest: Record<string, unknown>, path: string): WantedReading {
  for (const field of ["bundleDependencies", "bundledDependencies"])
    if (manifest[field] !== undefined) return { left: `${path} has ${field}` };
  const scripts = isRecord(manifest.scripts) ? manifest.scripts : {};
  for (const script of OWN_SCRIPTS)
    if (scripts[script] !== undefined) return { left: `${path} has a script "${script}"` };

  const more: Record<string, unknown> = {};
  for (const field of MORE) if (manifest[field] !== undefined) more[field] = manifest[field];
  const requested: Wanted = {
    dependencies: readRanges(manifest.dependencies),
    devDependencies: readRanges(manifest.devDependencies),
    more: Object.keys(more).length > 0 ? more : undefined,
  };
  for (const ranges of [
    requested.dependencies,
    requested.devDependencies,
    readRanges(manifest.optionalDependencies),
  ])
    for (const [name, range] of Object.entries(ranges)) {
      if (!isName(name))
        return { left: `${JSON.stringify(name.slice(0, 80))} is no package of the registry` };
      if (!isOfRegistry(range))
        return { left: `${name} is not from the registry (${clip(range)})` };
    }
  if (
    Object.values(more).some((value) =>
      /"(?:file|link|git|workspace|patch|portal):/.test(JSON.stringify(value)),
    )
  )
    return { left: `${path} replaces a package by what is not from the registry` };
  return { wanted: requested };
}

/** The folders of workspaces; undefined unless they are a list of explicit, different folders. */
function foldersIn(workspaces: unknown): string[] | undefined {
  if (!Array.isArray(workspaces) || workspaces.length > MOST_WORKSPACES) return undefined;
  const folders = workspaces.map((one) => FOLDER.exec(String(one))?.[1]);
  const isPlain = (folder: string | undefined): folder is string =>
    folder !== undefined && !folder.split("/").includes("node_modules");
  return folders.every(isPlain) && new Set(folders).size === folders.length ? folders : undefined;
}

const isName = (name: string) => NAME.test(name) && name.length <= 214;

/** Parses JSON, with or without a byte-order mark; undefined if it is invalid. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** The requirements of the project and of each workspace. */
export const eachWish = (requested: Wanted): WantedOne[] => [
  requested,
  ...Object.values(requested.workspaces ?? {}),
];

/** Every requested package with its range; if there are several, the project's own. */
export const everyRange = (requested: Wanted): Record<string, string> =>
  Object.assign(
    {},
    ...eachWish(requested)
      .toReversed()
      .flatMap(({ dependencies, devDependencies }) => [devDependencies, dependencies]),
  );

/** The number of requested packages. */
export const countOf = (requested: Wanted): number =>
  eachWish(requested).reduce(
    (sum, { dependencies, devDependencies }) =>
      sum + Object.keys(dependencies).length + Object.keys(devDependencies).length,
    0,
  );

/** A canonical text that is equal for equal requirements, whatever their order. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, entry: unknown) =>
    isRecord(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)))
      : entry,
  );

function isOfRegistry(range: string): boolean {
  const alias = /^npm:(?:@?[^@]+)(?:@(.*))?$/.exec(range);
  const plain = alias ? (alias[1] ?? "") : range;
  return validRange(plain) !== null || TAG.test(plain);
}

function readRanges(value: unknown): Record<string, string> {
  // Without a prototype: a package named `__proto__` is treated like any other name, and refused as
  // such.
  const ranges: Record<string, string> = Object.create(null);
  if (isRecord(value))
    for (const [name, range] of Object.entries(value)) ranges[name] = String(range);
  return ranges;
}

const clip = (text: string) => (text.length > 60 ? `${headOf(text, 60)}…` : text);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

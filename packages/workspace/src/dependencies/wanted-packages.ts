import { headOf } from "@treadle/protocol/safe-text";
import { validRange } from "semver";

/** What one package.json asks for, as far as it decides what is in node_modules. */
interface WantedOne {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  /** Other fields that have a say in it, as they stand; absent where there are none. */
  more?: Record<string, unknown>;
}

/** What a workspace asks for. Its name and version stand in the lock file, and its name in node_modules. */
export type WantedWorkspace = WantedOne & { name?: string; version?: string };

/** What a project asks for. */
export interface Wanted extends WantedOne {
  /** By folder; absent where it has none. */
  workspaces?: Record<string, WantedWorkspace>;
}

/** `left`: why only the package manager itself can do it, as the end of a sentence. */
export type WantedReading = { wanted: Wanted } | { left: string };

/** Scripts of the project itself that a package manager runs around an install: they want the project's own files. */
const OWN_SCRIPTS = ["preinstall", "install", "postinstall", "prepare", "prepublish"];

/** Fields that change what is installed and need nothing of the project beside package.json. */
const MORE = [
  "optionalDependencies",
  "peerDependencies",
  "overrides",
  "resolutions",
  "pnpm",
  "trustedDependencies",
  "allowScripts",
];

/** Folders of workspaces that are looked into; a project with more is left to its package manager. */
const MOST_WORKSPACES = 20;
/** A folder that is named and not looked for: `frontend`, `packages/api`. */
const FOLDER = /^(?:\.\/)?([a-z0-9_-][\w.-]*(?:\/[a-z0-9_-][\w.-]*)*)\/?$/i;

/** npm's own limit is 214; what is no name of a package is no name of a folder either. */
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;
/** `latest`, `next`; what looks like a path or an address holds a slash or a colon. */
const TAG = /^[a-z][a-z0-9._-]*$/i;

/**
 * Folders of a project's workspaces, as its package.json names them: those whose package.json `readWanted` has to be given.
 * @returns none where there are no workspaces, or where their folders would have to be looked for
 */
export function workspaceFolders(manifestText: string): string[] {
  const manifest = parse(manifestText);
  return (isRecord(manifest) && foldersIn(manifest.workspaces)) || [];
}

/**
 * Reads what a package.json asks for.
 * @param workspaceTexts the package.json of each workspace, by its folder; those of `workspaceFolders`
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

/** Undefined where they are no list of folders, each named as it is. */
function foldersIn(workspaces: unknown): string[] | undefined {
  if (!Array.isArray(workspaces) || workspaces.length > MOST_WORKSPACES) return undefined;
  const folders = workspaces.map((one) => FOLDER.exec(String(one))?.[1]);
  const isPlain = (folder: string | undefined): folder is string =>
    folder !== undefined && !folder.split("/").includes("node_modules");
  return folders.every(isPlain) && new Set(folders).size === folders.length ? folders : undefined;
}

const isName = (name: string) => NAME.test(name) && name.length <= 214;

/** Undefined for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** The project's own wishes, and those of each of its workspaces. */
export const eachWish = (requested: Wanted): WantedOne[] => [
  requested,
  ...Object.values(requested.workspaces ?? {}),
];

/** Every package that is asked for by name, with its range; of several ranges the project's own counts. */
export const everyRange = (requested: Wanted): Record<string, string> =>
  Object.assign(
    {},
    ...eachWish(requested)
      .toReversed()
      .flatMap(({ dependencies, devDependencies }) => [devDependencies, dependencies]),
  );

/** How many packages it asks for by name. */
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
  // Without a prototype: a package of the name `__proto__` is a name like any other, and refused as one.
  const ranges: Record<string, string> = Object.create(null);
  if (isRecord(value))
    for (const [name, range] of Object.entries(value)) ranges[name] = String(range);
  return ranges;
}

const clip = (text: string) => (text.length > 60 ? `${headOf(text, 60)}…` : text);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

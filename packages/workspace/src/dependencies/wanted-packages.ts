import { headOf } from "@treadle/protocol/safe-text";
import { validRange } from "semver";

/** What a package.json asks for, as far as it decides what is in node_modules. */
export interface Wanted {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  /** Other fields that have a say in it, as they stand; absent where there are none. */
  more?: Record<string, unknown>;
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

/** npm's own limit is 214; what is no name of a package is no name of a folder either. */
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;
/** `latest`, `next`; what looks like a path or an address holds a slash or a colon. */
const TAG = /^[a-z][a-z0-9._-]*$/i;

/** Reads what a package.json asks for. */
export function readWanted(manifestText: string): WantedReading {
  let manifest: unknown;
  try {
    manifest = JSON.parse(manifestText.replace(/^\uFEFF/, ""));
  } catch {
    return { left: "package.json is no JSON" };
  }
  if (!isRecord(manifest)) return { left: "package.json holds no object" };
  if (manifest.workspaces !== undefined) return { left: "package.json has workspaces" };
  for (const field of ["bundleDependencies", "bundledDependencies"])
    if (manifest[field] !== undefined) return { left: `package.json has ${field}` };
  const scripts = isRecord(manifest.scripts) ? manifest.scripts : {};
  for (const script of OWN_SCRIPTS)
    if (scripts[script] !== undefined) return { left: `package.json has a script "${script}"` };

  const more: Record<string, unknown> = {};
  for (const field of MORE) if (manifest[field] !== undefined) more[field] = manifest[field];
  const wanted: Wanted = {
    dependencies: readRanges(manifest.dependencies),
    devDependencies: readRanges(manifest.devDependencies),
    ...(Object.keys(more).length > 0 && { more }),
  };
  for (const ranges of [
    wanted.dependencies,
    wanted.devDependencies,
    readRanges(manifest.optionalDependencies),
  ])
    for (const [name, range] of Object.entries(ranges)) {
      if (!NAME.test(name) || name.length > 214)
        return { left: `${JSON.stringify(name.slice(0, 80))} is no package of the registry` };
      if (!isOfRegistry(range))
        return { left: `${name} is not from the registry (${clip(range)})` };
    }
  if (
    Object.values(more).some((value) =>
      /"(?:file|link|git|workspace|patch|portal):/.test(JSON.stringify(value)),
    )
  )
    return { left: "package.json replaces a package by what is not from the registry" };
  return { wanted };
}

/** How many packages it asks for by name. */
export const countOf = ({ dependencies, devDependencies }: Wanted): number =>
  Object.keys(dependencies).length + Object.keys(devDependencies).length;

/** The same text for the same wish, in whatever order it was written. */
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

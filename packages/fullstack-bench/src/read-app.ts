import { lstatSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { isRecord, readMadeFile, readMadeManifest } from "@treadle/common/made-file";
import type { GateFile } from "@treadle/publish";

/** Maximum number of source files searched for routes. */
const MOST_SOURCES = 400;
const SOURCES = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx"]);
/** Folders without the app's own files, which are not delivered. */
export const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", ".git"]);
/** Scripts that the judges call. */
const SCRIPTS = ["install:all", "dev"];

/** Facts about an app's files before it runs. */
export interface ReadApp {
  /** Its folder, relative to the delivered one: `.`, or the only subfolder. */
  root: string;
  /** `package.json`, or the names of missing scripts. */
  missing: string[];
  hasBackend: boolean;
  hasFrontend: boolean;
  /**
   * The first `*.sql` in its root, which the judges run once for apps without a database directory.
   */
  firstSql: string | undefined;
}

/** Reads the layout of an app as the judges do: `package.json` in its folder, or in the only folder there. */
export function readApp(folder: string): ReadApp {
  const names = readdirSync(folder, { withFileTypes: true });
  const only = names.length === 1 && names[0]!.isDirectory() ? names[0]!.name : undefined;
  const root = only ?? ".";
  const at = join(folder, root);
  const isFolder = (name: string) =>
    lstatSync(join(at, name), { throwIfNoEntry: false })?.isDirectory() ?? false;
  const scripts = scriptsOf(at);
  return {
    root,
    missing: scripts
      ? SCRIPTS.filter((name) => typeof scripts[name] !== "string")
      : ["package.json"],
    hasBackend: isFolder("backend"),
    hasFrontend: isFolder("frontend"),
    firstSql: readdirSync(at)
      .toSorted()
      .find((name) => name.endsWith(".sql")),
  };
}

function scriptsOf(folder: string): Record<string, unknown> | undefined {
  const manifest = readMadeManifest(folder);
  if (!manifest) return undefined;
  return isRecord(manifest["scripts"]) ? manifest["scripts"] : {};
}

/** The app's program files, in the order of their paths: at most 400. */
export function readSources(folder: string): GateFile[] {
  const found: GateFile[] = [];
  const walk = (below: string) => {
    const entries = readdirSync(join(folder, below), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length >= MOST_SOURCES) return;
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) walk(path);
      else if (entry.isFile() && SOURCES.has(extname(entry.name))) {
        const text = readMadeFile(folder, path);
        if (text !== undefined) found.push({ path, text });
      }
    }
  };
  walk("");
  return found;
}

import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { below, type Place, type Sources } from "../sources/sources.ts";
import { isInstalledFolder } from "../ignored.ts";
import { entriesOf, hasName, isWithinDepth } from "./walk.ts";

/**
 * Reduces a project to its own files: removes installed packages, build output and the state of
 * tools. Other foreign folders (a repository, a Python environment) stay, and so does the app's
 * data.
 */
export function removeMade(root: string, sources: Sources): void {
  for (const { path } of findMade(root, sources)) {
    const full = `${root}/${path}`;
    try {
      rmSync(full, { recursive: true, force: true });
    } catch {
      // Some folders are nested deeper than a path can be long; this program walks them one by one.
      execFileSync("rm", ["-rf", "--", full], { stdio: "ignore" });
    }
  }
}

/** The outermost paths that `removeMade` removes, each with whether it is a folder. */
export function* findMade(
  root: string,
  sources: Sources,
): Generator<{ path: string; isFolder: boolean }> {
  sources.refresh();
  const rest: { path: string; parent: Place | undefined }[] = [{ path: "", parent: undefined }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { path, parent } = next;
    const entries = entriesOf(path === "" ? root : `${root}/${path}`);
    if (typeof entries === "string") continue;
    const place = sources.enter(parent, path.slice(path.lastIndexOf("/") + 1), hasName(entries));
    if (!sources.isEntered(place, path)) {
      // Recognised by its content.
      if (place.kind !== "foreign") yield { path, isFolder: true };
      continue;
    }
    for (const entry of entries) {
      const inner = below(place, entry.name);
      if (!entry.isDirectory()) {
        if (sources.fileKind(place, entry.name) === "left-out")
          yield { path: inner, isFolder: false };
        continue;
      }
      const kind = sources.folderKind(place, entry.name);
      // Of endlessly nested folders, only the project's own are entered.
      const isLookedAt = kind.kind === "own" || isWithinDepth(inner);
      if (isLookedAt && sources.isEntered(kind, inner)) rest.push({ path: inner, parent: place });
      else if (kind.kind !== "foreign" || isInstalledFolder(entry.name))
        yield { path: inner, isFolder: true };
    }
  }
}

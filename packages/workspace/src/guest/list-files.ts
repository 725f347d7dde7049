import { lstatSync } from "node:fs";
import { PROJECT_FOLDER } from "@treadle/protocol/project-path";
import type { Params, Result } from "../wire/requests.ts";
import { refuseLinks } from "./open-folder.ts";
import { walk } from "./walk.ts";
import { isNamed } from "../named-files.ts";

const DEFAULT_LIMIT = 20_000;

/** The project's files as `Workspace.files.list` shows them. */
export function listFiles(
  root: string,
  { under = PROJECT_FOLDER, limit = DEFAULT_LIMIT, only }: Params<"list">,
): Result<"list"> {
  const files: Result<"list">["files"] = [];
  refuseLinks(root, under);
  for (const { path, entry } of walk(root, under)) {
    if (only && (entry.isDirectory() || !isNamed(only, path))) continue;
    if (files.length === limit) return { files, more: true };
    const kind = entry.isFile()
      ? "file"
      : entry.isDirectory()
        ? "folder"
        : entry.isSymbolicLink()
          ? "link"
          : "other";
    const stat =
      kind === "file" ? lstatSync(`${root}/${path}`, { throwIfNoEntry: false }) : undefined;
    files.push({ path, kind, size: stat?.size ?? 0 });
  }
  return { files, more: false };
}

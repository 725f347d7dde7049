import { createHash } from "node:crypto";
import type { ProjectPath } from "@treadle/protocol";
import type { Workspace } from "./types.ts";

/**
 * The version of a file of any size, as returned by `files.read`, without loading the content into
 * memory. Rejects as `files.readStream` does.
 */
export async function readVersion({ files }: Workspace, path: ProjectPath): Promise<string> {
  const hash = createHash("sha1");
  const { pieces } = await files.readStream(path);
  for await (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}

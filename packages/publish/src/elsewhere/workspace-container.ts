import { toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import { containerTexts } from "./container-source.ts";
import type { Texts } from "./release-tree.ts";

/** Files that are looked through for names. */
const FILES = 20_000;

/**
 * What builds and runs a project as it stands in a container, without Treadle, where it says nothing of that itself.
 * @throws ApiFailure 422 `no-container` where there is nothing that could be run
 */
export async function containerOf(workspace: Workspace): Promise<Texts> {
  const { files } = await workspace.files.list({ limit: FILES });
  const names = new Set(
    files.filter(({ kind }) => kind === "file").map(({ path }) => String(path)),
  );
  const texts = await containerTexts(
    { kind: "app", data: workspace.dataFiles() },
    names,
    async (name) =>
      new TextDecoder().decode((await workspace.files.read(toProjectPath(name))).bytes),
  );
  return Object.fromEntries(Object.entries(texts).filter(([name]) => !names.has(name)));
}

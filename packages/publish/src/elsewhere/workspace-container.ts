import { toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import { containerTexts } from "./container-source.ts";
import type { Texts } from "./release-tree.ts";

/** Maximum number of files searched by name. */
const FILES = 20_000;

/**
 * The files that build and run the current project in a container without Treadle, except those that
 * the project has itself.
 * @throws ApiFailure 422 `no-container` if there is nothing to run
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

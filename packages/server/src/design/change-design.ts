import { ApiFailure } from "@treadle/common";
import { planDesignEdits, readProjectDesign, type EditRefusal } from "@treadle/design";
import type { ProjectDesign, ProjectPath, TokenEdit } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { WorkspaceError } from "@treadle/workspace";
import type { ProjectRuntime } from "../runtime/types.ts";

/** Maximum number of tokens named in the history. */
const MAX_NAMED = 3;
/** Maximum number of attempts while somebody else keeps changing the files. */
const MAX_PLANS = 4;

/** The result of changing a project's tokens. */
export interface ChangedDesign {
  design: ProjectDesign;
  /** A checkpoint of the files before the change. */
  before: string;
  /** The written files with their current versions. */
  written: { path: ProjectPath; version: string }[];
}

/** Reads a project's design tokens. @throws ApiFailure 422 `design-unreadable` */
export async function readDesign(runtime: ProjectRuntime): Promise<ProjectDesign> {
  return readable(readProjectDesign(await runtime.workspace(), { lane: runtime.id }));
}

/**
 * Writes values of design tokens as the person's own edit, with a checkpoint that names them; while the model
 * works, its own next checkpoint includes them. Concurrent changes of the same files are kept.
 * @throws ApiFailure 400 with the reason if a token cannot be written, and 422 `design-unreadable`; nothing is
 * written then
 * @throws WorkspaceError `conflict` if somebody else changed the files at every attempt
 */
export async function changeDesign(
  runtime: ProjectRuntime,
  edits: readonly TokenEdit[],
): Promise<ChangedDesign> {
  const workspace = await runtime.workspace();
  const { checkpoint } = await workspace.checkpoint(sentence("before-design").text);
  const versions = new Map<ProjectPath, string>();
  for (let plan = 1; ; plan++) {
    const planned = await readable(planDesignEdits(workspace, edits, { lane: runtime.id }));
    if ("refused" in planned) throw refusal(planned.refused);
    try {
      const files = await runtime.personFiles();
      // A new file is written before the one that imports it.
      for (const { path, text, version } of planned.writes.toReversed())
        versions.set(
          path,
          (await files.write(path, text, { ifVersion: version ?? "absent" })).version,
        );
      break;
    } catch (error) {
      // Somebody else wrote first, so the values are planned again for the current file.
      const isConflict = error instanceof WorkspaceError && error.code === "conflict";
      if (!isConflict || plan >= MAX_PLANS) throw error;
    }
  }
  if (versions.size > 0) await keepNamed(runtime, edits);
  return {
    design: await readDesign(runtime),
    before: checkpoint,
    written: [...versions].map(([path, version]) => ({ path, version })),
  };
}

async function keepNamed(runtime: ProjectRuntime, edits: readonly TokenEdit[]): Promise<void> {
  const names = [...new Set(edits.map(({ name }) => name))];
  const label = sentence("design-changed", {
    parts: names.slice(0, MAX_NAMED),
    more: Math.max(0, names.length - MAX_NAMED),
  });
  try {
    await runtime.keepNow(label);
  } catch (error) {
    if (!(error instanceof ApiFailure && error.code === "working")) throw error;
  }
}

async function readable<Result>(reading: Promise<Result | undefined>): Promise<Result> {
  const result = await reading;
  if (result !== undefined) return result;
  throw new ApiFailure(422, "design-unreadable", sentence("design-unreadable"));
}

function refusal({ code, ...values }: EditRefusal): ApiFailure {
  // Each code has the values of its own sentence.
  const write = sentence as (
    code: EditRefusal["code"],
    values: object,
  ) => ReturnType<typeof sentence>;
  return new ApiFailure(400, code, write(code, values));
}

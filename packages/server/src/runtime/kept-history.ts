import type { CheckpointInfo } from "@treadle/protocol";
import { isSound } from "@treadle/protocol/evidence";
import { verdictOn } from "@treadle/protocol/fold";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { NAME_LIMIT, plainName } from "../project-context/project-name.ts";
import type { ProjectContext } from "../project-context/project-context.ts";
import { DEFAULT_HISTORY_BYTES } from "./history-limit.ts";

/** Number of checkpoints, or milliseconds, after which the size is checked again. */
const LOOK_AFTER = 25;
const LOOK_AFTER_MS = 60 * 60_000;

/** Manages a project's existing checkpoints. */
export interface KeptHistory {
  /**
   * Sets a checkpoint's name, or removes it (null); durable when it resolves.
   * @throws ApiFailure 400 for an invalid name.
   */
  name(checkpoint: string, name: string | null): Promise<CheckpointInfo>;
  /** Thins out the checkpoints if they exceed their size limit. Measures only occasionally. Never rejects. */
  thin(): Promise<void>;
}

/** Creates the manager of a project's checkpoints, which names them and thins them out. */
export function createKeptHistory(
  context: Pick<ProjectContext, "parts" | "view" | "append" | "record" | "workspace">,
): KeptHistory {
  const { parts, view, append } = context;
  const { historyBytes: maxBytes = DEFAULT_HISTORY_BYTES } = parts;
  let looked = { at: Number.NEGATIVE_INFINITY, checkpoints: 0 };

  /**
   * Checkpoints and revisions that must stay: of the last run, the current files, the end of the conversation, the
   * state before the last return, and the newest files that work.
   */
  async function needed(): Promise<Set<string>> {
    const retained = new Set<string>();
    const { lastRun } = await context.record();
    if (lastRun) retained.add(lastRun.checkpoint);
    if (view.revision !== undefined) retained.add(view.revision);
    const forward = [...view.left.values()].at(-1);
    if (forward !== undefined) retained.add(forward);
    const last = view.said.get(view.head)?.last;
    if (last) retained.add(last.checkpoint);
    const works = [...view.known.keys()].findLast((revision) =>
      isSound(verdictOn(view, revision)?.verdict),
    );
    if (works !== undefined) retained.add(works);
    return retained;
  }

  return {
    async name(checkpoint, text) {
      const name = text === null ? undefined : plainName(text);
      if (name === "") throw new ApiFailure(400, "empty-name", sentence("name-empty"));
      if (name !== undefined && name.length > NAME_LIMIT)
        throw new ApiFailure(
          400,
          "name-too-long",
          sentence("name-too-long", { limit: NAME_LIMIT }),
        );
      const named = await (await context.workspace()).nameCheckpoint(checkpoint, name);
      append({ type: "checkpoint-named", checkpoint: named.checkpoint, name });
      await parts.store.log.settled();
      return named;
    },
    async thin() {
      const [now, count] = [parts.clock.now(), view.checkpoints.length];
      if (!Number.isFinite(maxBytes) || count === looked.checkpoints) return;
      if (count - looked.checkpoints < LOOK_AFTER && now - looked.at < LOOK_AFTER_MS) return;
      looked = { at: now, checkpoints: count };
      try {
        const workspace = await context.workspace();
        const { thinned, bytes } = await workspace.thin({ maxBytes, keep: await needed(), now });
        if (thinned.length > 0) append({ type: "checkpoints-thinned", checkpoints: thinned });
        if (bytes > maxBytes)
          parts.onNotice(
            `The checkpoints of a project take ${Math.ceil(bytes / 1024 / 1024)} MB, more than TREADLE_HISTORY_MB: those of today, those with a name and those that are still needed stay.`,
          );
      } catch (error) {
        parts.onNotice(`Checkpoints were not thinned out: ${(error as Error).message}`);
      }
    },
  };
}

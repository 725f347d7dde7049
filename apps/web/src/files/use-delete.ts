import type { FileInfo, ProjectPath } from "@treadle/protocol";
import { isUnder } from "@treadle/protocol/project-path";
import { useState } from "react";
import { rawAddress, removeFile } from "../api/files.ts";
import { request, sentence } from "../api/request.ts";
import { uploadFile } from "../api/upload.ts";
import { useProjectId } from "../live/live-context.tsx";
import { notice, noticeError } from "../ui/notice.ts";
import { visibleName } from "./tree.ts";
import { words } from "../words/words.ts";

/** Limits for undoing a deletion: the number of files, and their total bytes. */
const MAX_UNDO_FILES = 200;
const MAX_UNDO_BYTES = 20 * 1024 * 1024;
/** How long a deletion can be undone, in milliseconds. */
const UNDO_MS = 12_000;

/**
 * Deletes files and folders, with an undo. A deletion too large to undo asks for confirmation first; `asking` is then its
 * path.
 */
export function useDelete(files: readonly FileInfo[], refresh: () => Promise<unknown>) {
  const project = useProjectId();
  const [asking, setAsking] = useState<ProjectPath>();
  const within = (path: ProjectPath) =>
    files.filter((one) => one.kind === "file" && isUnder(one.path, path));

  const putBack = async (held: { path: ProjectPath; content: Blob }[]) => {
    try {
      for (const { path, content } of held)
        await uploadFile(project, path, content, { unseen: true });
    } catch (error) {
      noticeError(words.files.notPutBack({ why: sentence(error) }));
    }
    await refresh();
  };
  const remove = async (path: ProjectPath) => {
    const inside = within(path);
    const size = inside.reduce((sum, one) => sum + one.size, 0);
    if (inside.length > MAX_UNDO_FILES || size > MAX_UNDO_BYTES) return setAsking(path);
    try {
      const held: { path: ProjectPath; content: Blob }[] = [];
      for (const one of inside)
        held.push({
          path: one.path,
          content: await (await request(rawAddress(project, one.path))).blob(),
        });
      await removeFile(project, path);
      notice(words.files.deleted({ name: visibleName(path) }), {
        duration: UNDO_MS,
        // A folder without files is restored together with its first file.
        action:
          held.length > 0
            ? { label: words.files.undo, onClick: () => void putBack(held) }
            : undefined,
      });
    } catch (error) {
      noticeError(sentence(error));
    }
    await refresh();
  };
  return {
    remove,
    asking,
    /** Number of files in the folder to confirm. */
    count: asking === undefined ? 0 : within(asking).length,
    /** @throws ApiFailure */
    removeAsked: async () => {
      if (asking === undefined) return;
      await removeFile(project, asking);
      await refresh();
    },
    dontAsk: () => setAsking(undefined),
  };
}

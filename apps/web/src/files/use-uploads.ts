import type { ProjectPath } from "@treadle/protocol";
import { PROJECT_FOLDER } from "@treadle/protocol/project-path";
import { useState } from "react";
import { sentence } from "../api/request.ts";
import type { AddedFile } from "../attachments/added-files.ts";
import type { DraftFile } from "../attachments/place-files.ts";
import { useProjectId } from "../live/live-context.tsx";
import { notice, noticeError } from "../ui/notice.ts";
import { visibleName } from "./tree.ts";
import { words } from "../words/words.ts";

let ids = 0;

/** Uploads files into a folder of the tree. Existing files are not replaced; the new ones get another name. */
export function useUploads(refresh: () => Promise<unknown>) {
  const project = useProjectId();
  const [uploads, setUploads] = useState<readonly DraftFile[]>([]);
  const upload = async (folder: ProjectPath, added: readonly AddedFile[]) => {
    const files = added.map(({ file, path }): DraftFile => ({ id: ++ids, path, content: file }));
    if (files.length === 0) return;
    setUploads((before) => [...before, ...files]);
    const ownIds = new Set(files.map(({ id }) => id));
    const { placeFiles } = await import("../attachments/place-files.ts");
    const change = (id: number, changed: Partial<DraftFile>) =>
      setUploads((before) => before.map((one) => (one.id === id ? { ...one, ...changed } : one)));
    const under = folder === PROJECT_FOLDER ? "" : `${folder}/`;
    try {
      const placed = await placeFiles(project, files, change, { under });
      notice(
        placed.length === 1
          ? words.files.uploaded({ name: visibleName(placed[0]!) })
          : words.files.uploadedFiles({ amount: placed.length }),
      );
    } catch (error) {
      noticeError(sentence(error));
    } finally {
      setUploads((before) => before.filter(({ id }) => !ownIds.has(id)));
      await refresh();
    }
  };
  return { uploads, upload };
}

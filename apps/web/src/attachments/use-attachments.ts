import type { ProjectPath } from "@treadle/protocol";
import { useEffect, useRef, useState } from "react";
import { usePictures } from "../pictures/use-pictures.ts";
import { fileOf } from "../pictures/read-picture.ts";
import { saveDraft, readDraft } from "../ui/draft-storage.ts";
import { sentence } from "../api/request.ts";
import { removeFile } from "../api/files.ts";
import { withNames, type AddedFile } from "./added-files.ts";
import type { DraftFile } from "./place-files.ts";
import { words } from "../words/words.ts";

type StoredFile = Pick<DraftFile, "path" | "content" | "placed">;

let ids = 0;
const draft = (file: StoredFile): DraftFile => ({ ...file, id: ++ids });

export type Attachments = ReturnType<typeof useAttachments>;

/**
 * The attachments of the message being written: pictures, which the model sees, and files, which are uploaded to the
 * project on sending. Stored in the browser until then.
 * @param name the storage key, the same as the text's
 * @param model the model that will answer; defaults to the global choice
 */
export function useAttachments(name: string, model: string | undefined) {
  const pictures = usePictures(name, model);
  const [files, setFiles] = useState<readonly DraftFile[]>([]);
  const [read, setRead] = useState(false);
  const uploading = useRef<AbortController>(undefined);
  const into = useRef<string>(undefined);
  const storageKey = `files:${name}`;
  useEffect(() => {
    let isUnmounted = false;
    void readDraft<StoredFile>(storageKey).then((storedFiles) => {
      if (isUnmounted) return;
      setFiles((before) => [...storedFiles.map(draft), ...before]);
      setRead(true);
    });
    return () => void (isUnmounted = true);
  }, [storageKey]);
  // Not at every step of an upload, because an entry holds complete files.
  const settled = files.every(({ share }) => share === undefined);
  useEffect(() => {
    if (!read || !settled) return;
    const storedFiles = files.map(({ path, content, placed }): StoredFile => {
      return placed === undefined ? { path, content } : { path, content, placed };
    });
    void saveDraft(storageKey, storedFiles);
  }, [storageKey, files, read, settled]);
  useEffect(() => () => uploading.current?.abort(), []);

  const change = (id: number, changed: Partial<DraftFile>) =>
    setFiles((before) => before.map((one) => (one.id === id ? { ...one, ...changed } : one)));
  const addFiles = (added: readonly AddedFile[]) =>
    setFiles((before) => [
      ...before,
      ...added.map(({ file, path }) => draft({ path, content: file })),
    ]);

  return {
    pictures: pictures.pictures,
    files,
    /** Why the pictures cannot be sent to this model; undefined if they can. */
    refused: pictures.refused,
    /** Adds pictures for the model, up to the limit of a message; everything else is uploaded to the project. */
    async add(added: readonly AddedFile[]) {
      const single = ({ file, path }: AddedFile) =>
        file.type.startsWith("image/") && !path.includes("/");
      addFiles(added.filter((one) => !single(one)));
      const remaining = await pictures.add(added.filter(single).map(({ file }) => file));
      addFiles(withNames(remaining));
    },
    removePicture: pictures.remove,
    removeFile(id: number) {
      const removed = files.find((one) => one.id === id);
      setFiles((before) => before.filter((one) => one.id !== id));
      // Removing a file aborts its upload.
      if (removed?.share !== undefined) uploading.current?.abort();
      if (removed?.placed !== undefined && into.current !== undefined)
        removeFile(into.current, removed.placed).catch(() => undefined);
    },
    /** Uploads the picture to the project instead of showing it to the model. */
    asFile(id: number) {
      const picture = pictures.pictures.find((one) => one.id === id);
      if (!picture) return;
      pictures.remove(id);
      addFiles(withNames([fileOf(picture)]));
    },
    /**
     * Uploads the files into the project. @returns the text with mentions of them, and their paths
     * @throws Error with a sentence if one failed, or if the person removed one meanwhile
     */
    async place(
      project: string,
      text: string,
    ): Promise<{ text: string; paths: readonly ProjectPath[] }> {
      if (files.length === 0) return { text, paths: [] };
      const [{ placeFiles }, { withMentions: pointingAt }] = await Promise.all([
        import("./place-files.ts"),
        import("./place-name.ts"),
      ]);
      uploading.current = new AbortController();
      into.current = project;
      try {
        const { signal } = uploading.current;
        const placed = await placeFiles(project, files, change, { signal }).catch(
          (error: unknown) => {
            throw new Error(words.attachments.nothingSent({ why: sentence(error) }), {
              cause: error,
            });
          },
        );
        return { text: pointingAt(text, placed), paths: placed };
      } finally {
        setFiles((before) => before.map((one) => ({ ...one, share: undefined })));
        uploading.current = undefined;
      }
    },
    /** Call if the project to which the files were uploaded no longer exists; they are then uploaded again. */
    unplace: () => setFiles((before) => before.map((one) => ({ ...one, placed: undefined }))),
    /** Removes all attachments. Call once the message was sent. */
    async clear() {
      setFiles([]);
      await Promise.all([pictures.clear(), saveDraft(storageKey, [])]);
    },
    /** The pictures in the API's format. */
    sent: pictures.sent,
  };
}

import { useEffect, useRef, useState } from "react";
import { usePictures } from "../pictures/use-pictures.ts";
import { fileOf } from "../pictures/read-picture.ts";
import { keepDraft, readDraft } from "../ui/kept-drafts.ts";
import { sentence } from "../api/request.ts";
import { removeFile } from "../api/files.ts";
import { named, type GivenFile } from "./given-files.ts";
import type { DraftFile } from "./place-files.ts";
import { words } from "../words/words.ts";

type KeptFile = Pick<DraftFile, "path" | "content" | "placed">;

let ids = 0;
const draft = (file: KeptFile): DraftFile => ({ ...file, id: ++ids });

export type Attachments = ReturnType<typeof useAttachments>;

/**
 * What goes with the message that is being written: pictures, which the model is shown, and files, which go into the
 * project when it is sent. This browser keeps both until then.
 * @param name what they are kept under, as the text is
 * @param model that will be asked; default: the one that is chosen for all
 */
export function useAttachments(name: string, model: string | undefined) {
  const pictures = usePictures(name, model);
  const [files, setFiles] = useState<readonly DraftFile[]>([]);
  const [read, setRead] = useState(false);
  const uploading = useRef<AbortController>(undefined);
  const into = useRef<string>(undefined);
  const keptAs = `files:${name}`;
  useEffect(() => {
    let gone = false;
    void readDraft<KeptFile>(keptAs).then((storedFiles) => {
      if (gone) return;
      setFiles((before) => [...storedFiles.map(draft), ...before]);
      setRead(true);
    });
    return () => void (gone = true);
  }, [keptAs]);
  // Not at every step of an upload: one holds whole files.
  const settled = files.every(({ share }) => share === undefined);
  useEffect(() => {
    if (!read || !settled) return;
    const storedFiles = files.map(({ path, content, placed }): KeptFile => {
      return placed === undefined ? { path, content } : { path, content, placed };
    });
    void keepDraft(keptAs, storedFiles);
  }, [keptAs, files, read, settled]);
  useEffect(() => () => uploading.current?.abort(), []);

  const change = (id: number, changed: Partial<DraftFile>) =>
    setFiles((before) => before.map((one) => (one.id === id ? { ...one, ...changed } : one)));
  const addFiles = (given: readonly GivenFile[]) =>
    setFiles((before) => [
      ...before,
      ...given.map(({ file, path }) => draft({ path, content: file })),
    ]);

  return {
    pictures: pictures.pictures,
    files,
    /** Why they cannot be sent to this model. */
    refused: pictures.refused,
    /** Pictures are shown to the model, as many as a message may have; all else goes into the project. */
    async add(given: readonly GivenFile[]) {
      const single = ({ file, path }: GivenFile) =>
        file.type.startsWith("image/") && !path.includes("/");
      addFiles(given.filter((one) => !single(one)));
      const left = await pictures.add(given.filter(single).map(({ file }) => file));
      addFiles(named(left));
    },
    removePicture: pictures.remove,
    removeFile(id: number) {
      const gone = files.find((one) => one.id === id);
      setFiles((before) => before.filter((one) => one.id !== id));
      // What is under way is not wanted any more, nor what came with a message that was not sent.
      if (gone?.share !== undefined) uploading.current?.abort();
      if (gone?.placed !== undefined && into.current !== undefined)
        removeFile(into.current, gone.placed).catch(() => undefined);
    },
    /** The picture goes into the project instead of to the model. */
    asFile(id: number) {
      const picture = pictures.pictures.find((one) => one.id === id);
      if (!picture) return;
      pictures.remove(id);
      addFiles(named([fileOf(picture)]));
    },
    /**
     * Puts the files into the project. @returns the text, pointing at them
     * @throws Error with a sentence where one is not there; or where the person took one away meanwhile
     */
    async place(project: string, text: string): Promise<string> {
      if (files.length === 0) return text;
      const [{ placeFiles }, { pointingAt }] = await Promise.all([
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
        return pointingAt(text, placed);
      } finally {
        setFiles((before) => before.map((one) => ({ ...one, share: undefined })));
        uploading.current = undefined;
      }
    },
    /** The project that they were put into is no more. */
    unplace: () => setFiles((before) => before.map((one) => ({ ...one, placed: undefined }))),
    /** They were sent. */
    async clear() {
      setFiles([]);
      await Promise.all([pictures.clear(), keepDraft(keptAs, [])]);
    },
    /** Pictures as the API takes them. */
    sent: pictures.sent,
  };
}

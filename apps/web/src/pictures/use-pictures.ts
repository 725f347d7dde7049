import { useEffect, useState } from "react";
import { modelLabel, useModels } from "../api/queries.ts";
import { saveDraft, readDraft } from "../ui/draft-storage.ts";
import { words } from "../words/words.ts";
import {
  base64Of,
  MAX_PICTURES,
  readPicture,
  restorePicture,
  type DraftPicture,
  type StoredPicture,
} from "./read-picture.ts";

/**
 * The pictures of the message being written, stored in the browser until it is sent.
 * @param name the storage key, the same as the text's
 * @param model the model that will answer; defaults to the global choice
 */
export function usePictures(name: string, model: string | undefined) {
  const [pictures, setPictures] = useState<readonly DraftPicture[]>([]);
  const [read, setRead] = useState(false);
  useEffect(() => {
    let isUnmounted = false;
    void readDraft<StoredPicture>(name).then((storedPictures) => {
      if (isUnmounted) return;
      // Keeps pictures added meanwhile, after the stored ones.
      setPictures((before) =>
        [...storedPictures.map(restorePicture), ...before].slice(0, MAX_PICTURES),
      );
      setRead(true);
    });
    return () => void (isUnmounted = true);
  }, [name]);
  useEffect(() => {
    if (!read) return;
    void saveDraft(
      name,
      pictures.map(({ name: called, url }): StoredPicture => ({ name: called, url })),
    );
  }, [name, pictures, read]);
  const { data: models } = useModels();
  const id = model ?? models?.chosen;
  const known = models?.providers.flatMap((one) => one.models).find((one) => one.id === id);
  const blind = known?.sees === false && id !== undefined;
  return {
    pictures,
    /** Why the pictures cannot be sent to this model; undefined if they can. */
    refused:
      blind && pictures.length > 0
        ? words.pictures.blind({ model: modelLabel(models, id) })
        : undefined,
    /** Adds pictures. @returns the files that cannot be sent as pictures: too many, too large, or not decodable */
    async add(files: readonly File[]): Promise<File[]> {
      const room = MAX_PICTURES - pictures.length;
      const excess = files.slice(room);
      for (const file of files.slice(0, room)) {
        const added = await readPicture(file).catch(() => undefined);
        if (added) setPictures((before) => [...before, added].slice(0, MAX_PICTURES));
        else excess.push(file);
      }
      return excess;
    },
    remove: (removedId: number) =>
      setPictures((before) => before.filter(({ id: one }) => one !== removedId)),
    /** Removes all pictures. Call once the message was sent. */
    async clear() {
      setPictures([]);
      await saveDraft(name, []);
    },
    /** The pictures in the API's format. */
    sent: () => (pictures.length > 0 ? { pictures: pictures.map(base64Of) } : {}),
  };
}

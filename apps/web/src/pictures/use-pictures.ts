import { useEffect, useState } from "react";
import { modelLabel, useModels } from "../api/queries.ts";
import { sentence } from "../api/request.ts";
import { keepDraft, readDraft } from "./kept-drafts.ts";
import { base64Of, PICTURES, readPicture, unkept, type DraftPicture } from "./read-picture.ts";

/**
 * The pictures of the message that is being written. This browser keeps them until they are sent.
 * @param name what they are kept under, as the text is
 * @param model that will be asked; default: the one that is chosen for all
 */
export function usePictures(
  name: string,
  model: string | undefined,
  onProblem: (problem: string | undefined) => void,
) {
  const [pictures, setPictures] = useState<readonly DraftPicture[]>([]);
  const [read, setRead] = useState(false);
  useEffect(() => {
    let gone = false;
    void readDraft(name).then((kept) => {
      if (gone) return;
      // What was added meanwhile stays, after them.
      setPictures((before) => [...kept.map(unkept), ...before].slice(0, PICTURES));
      setRead(true);
    });
    return () => void (gone = true);
  }, [name]);
  useEffect(() => {
    if (read) void keepDraft(name, pictures);
  }, [name, pictures, read]);
  const { data: models } = useModels();
  const id = model ?? models?.chosen;
  const known = models?.providers.flatMap((one) => one.models).find((one) => one.id === id);
  const blind = known?.sees === false && id !== undefined;
  return {
    pictures,
    /** Why they cannot be sent to this model. */
    refused:
      blind && pictures.length > 0
        ? `${modelLabel(models, id)} reads no pictures. Choose a model that does, say under this one’s name that it does, or take them away.`
        : undefined,
    async add(files: readonly File[]) {
      onProblem(undefined);
      const room = PICTURES - pictures.length;
      if (files.length > room) onProblem(`A message may have ${PICTURES} pictures.`);
      for (const file of files.slice(0, room))
        try {
          const added = await readPicture(file);
          setPictures((before) => (before.length < PICTURES ? [...before, added] : before));
        } catch (error) {
          onProblem(sentence(error));
        }
    },
    remove: (gone: number) => setPictures((before) => before.filter(({ id: one }) => one !== gone)),
    /** They were sent. */
    async clear() {
      setPictures([]);
      await keepDraft(name, []);
    },
    /** As the API takes them. */
    sent: () => (pictures.length > 0 ? { pictures: pictures.map(base64Of) } : {}),
  };
}

import { X } from "lucide-react";
import { IconButton } from "../ui/button.tsx";
import { visible } from "@treadle/protocol/safe-text";
import type { DraftPicture } from "./read-picture.ts";

/** Pictures that go with the message. */
export function DraftPictures({
  pictures,
  onRemove,
}: {
  pictures: readonly DraftPicture[];
  onRemove: (id: number) => void;
}) {
  if (pictures.length === 0) return null;
  return (
    <ul aria-label="Pictures" className="flex flex-wrap gap-2 px-3 pt-2">
      {pictures.map(({ id, name, url }) => (
        <li key={id} className="flex items-start rounded border border-line">
          <img src={url} alt={visible(name)} className="h-14 max-w-28 rounded object-cover" />
          <IconButton name={`Remove ${visible(name)}`} onClick={() => onRemove(id)}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

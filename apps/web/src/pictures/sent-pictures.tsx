import type { PictureInfo } from "@treadle/protocol";
import { pictureAddress } from "../api/projects.ts";
import { useProjectId } from "../live/live-context.tsx";
import { formatBytes } from "../ui/format.ts";
import { words } from "../words/words.ts";

/** The pictures of a message; each opens at full size. */
export function SentPictures({ pictures }: { pictures: readonly PictureInfo[] }) {
  const project = useProjectId();
  return (
    <ul aria-label={words.pictures.pictures} className="mt-2 flex flex-wrap gap-2">
      {pictures.map(({ hash, size }, index) => (
        <li key={`${hash}-${index}`}>
          <a href={pictureAddress(project, hash)} target="_blank" rel="noreferrer">
            <img
              src={pictureAddress(project, hash)}
              alt={words.pictures.picture({ number: index + 1, size: formatBytes(size) })}
              loading="lazy"
              className="h-20 max-w-40 rounded border border-line object-cover"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}

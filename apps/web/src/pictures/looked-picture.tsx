import { pictureAddress } from "../api/projects.ts";
import { useProjectId } from "../live/live-context.tsx";
import { words } from "../words/words.ts";

/** What a page looked like, small; it opens whole. Its bytes are asked for when it comes into sight. */
export function LookedPicture({ hash, of }: { hash: string; of: string }) {
  const project = useProjectId();
  const address = pictureAddress(project, hash);
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer"
      title={words.pictures.openWhole}
      className="mt-2 block w-fit max-w-full rounded border border-line hover:border-edge"
    >
      {/* It was taken of a window of this shape: what stands below does not move when it comes. */}
      <img
        src={address}
        alt={words.pictures.lookOf(of)}
        loading="lazy"
        width={1280}
        height={800}
        className="h-auto max-h-50 w-80 max-w-full rounded bg-paper object-contain object-left-top"
      />
    </a>
  );
}

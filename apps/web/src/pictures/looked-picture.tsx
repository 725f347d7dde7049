import type { PagePicture } from "@treadle/protocol";
import { pictureAddress } from "../api/projects.ts";
import { useProjectId } from "../live/live-context.tsx";
import { words } from "../words/words.ts";

/**
 * What a page looked like, small; it opens whole. Its bytes are asked for when it comes into sight. Beneath it stands which
 * characters are boxes in it, as the browser that looked had no font for them.
 */
export function LookedPicture({
  picture,
  subject,
  small = false,
}: {
  picture: Pick<PagePicture, "hash" | "undrawn">;
  subject: string;
  /** Beside a line, to be known by. */
  small?: boolean;
}) {
  const project = useProjectId();
  const address = pictureAddress(project, picture.hash);
  const link = (
    <a
      href={address}
      target="_blank"
      rel="noreferrer"
      title={words.pictures.openWhole}
      className={`block w-fit max-w-full shrink-0 rounded border border-line hover:border-edge ${small ? "" : "mt-2"}`}
    >
      {/* It was taken of a window of this shape: what stands below does not move when it comes. */}
      <img
        src={address}
        alt={words.pictures.lookOf({ what: subject })}
        loading="lazy"
        width={1280}
        height={800}
        className={`h-auto max-w-full rounded bg-paper ${small ? "w-13.5 object-cover object-top" : "max-h-50 w-80 object-contain object-left-top"}`}
      />
    </a>
  );
  // Where there is no room for words, what it shows is known by its shape.
  if (small || !picture.undrawn?.length) return link;
  return (
    <>
      {link}
      <p className="mt-1 max-w-80 text-small text-quiet">
        {words.pictures.boxes({ characters: picture.undrawn.join(" ") })}
      </p>
    </>
  );
}

import type { PagePicture } from "@treadle/protocol";
import { pictureAddress } from "../api/projects.ts";
import { useProjectId } from "../live/live-context.tsx";
import { words } from "../words/words.ts";

/**
 * A small picture of a page, which opens at full size. Loaded when it scrolls into view. Below it are the characters shown
 * as boxes because the server's browser had no font for them.
 */
export function LookedPicture({
  picture,
  subject,
  small = false,
}: {
  picture: Pick<PagePicture, "hash" | "undrawn">;
  subject: string;
  /** A thumbnail beside a line. */
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
      {/* Reserves the picture's aspect ratio, so that nothing below moves when it loads. */}
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
  // Without room for text, the picture has to be recognisable by itself.
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

import { Separator } from "react-resizable-panels";

const ACROSS = "w-px after:inset-y-0 after:-inset-x-1";
const ALONG = "h-px after:inset-x-0 after:-inset-y-1";

/**
 * The line between two panes, which is dragged, or moved with the arrow keys. It is caught four pixels beside itself as well:
 * what is shown in a frame there would keep the pointer.
 *
 * @param name what it divides, for whoever does not see it
 * @param of `columns` beside each other (the default), or `rows`
 */
export function Splitter({
  name,
  between = "columns",
}: {
  name: string;
  between?: "columns" | "rows";
}) {
  return (
    <Separator
      aria-label={name}
      // A quick hand is over the frame with its first move.
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      className={`${between === "columns" ? ACROSS : ALONG} relative bg-line outline-offset-0 transition-colors duration-(--appear) after:absolute after:z-10 hover:bg-accent data-[separator=active]:bg-accent data-[separator=hover]:bg-accent`}
    />
  );
}

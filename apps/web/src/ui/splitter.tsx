import { Separator } from "react-resizable-panels";

const ACROSS = "w-px after:inset-y-0 after:-inset-x-1";
const ALONG = "h-px after:inset-x-0 after:-inset-y-1";

/**
 * The divider between two panes, moved by dragging or with the arrow keys. Its pointer target extends four pixels
 * beyond it, because a frame beside it would take the pointer.
 *
 * @param name an accessible label: what it divides
 * @param between `columns` side by side (the default), or `rows`
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
      // Captured at once: a fast pointer is over the frame at its first move, and the frame would take its events.
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      className={`${between === "columns" ? ACROSS : ALONG} relative bg-line outline-offset-0 transition-colors duration-(--appear) after:absolute after:z-10 hover:bg-accent data-[separator=active]:bg-accent data-[separator=hover]:bg-accent`}
    />
  );
}

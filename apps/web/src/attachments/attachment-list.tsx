import { Suspense } from "react";
import type { Attachments } from "./use-attachments.ts";
import { words } from "../words/words.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

// Most messages come without.
const { Part: Attached } = lazyPart(() => import("./attachments.tsx"));

/** What goes with the message, and where to let go of files that are held over the page. */
export function AttachmentList({
  attachments,
  isDragOver,
}: {
  attachments: Attachments;
  isDragOver: boolean;
}) {
  const { pictures, files } = attachments;
  return (
    <>
      {isDragOver && (
        <p
          role="status"
          className="pointer-events-none absolute inset-0 z-20 flex items-center justify-center rounded border-2 border-dashed border-accent bg-raised p-2 text-center text-small"
        >
          {words.attachments.letGo}
        </p>
      )}
      {(pictures.length > 0 || files.length > 0) && (
        <Suspense fallback={null}>
          <Attached attachments={attachments} />
        </Suspense>
      )}
    </>
  );
}

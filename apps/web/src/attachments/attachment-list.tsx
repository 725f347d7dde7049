import { Suspense } from "react";
import type { Attachments } from "./use-attachments.ts";
import { words } from "../words/words.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

// Loaded lazily, because most messages have none.
const { Part: Attached } = lazyPart(() => import("./attachments.tsx"));

/** The message's attachments, and the drop target for files dragged over the page. */
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

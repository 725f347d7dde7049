import { Suspense } from "react";
import { Share2 } from "../ui/icons.ts";
import { useCommand } from "../commands/available.ts";
import { keysHint } from "../commands/hint.ts";
import { useMay } from "../project/use-may.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { words } from "../words/words.ts";
import { closeShare, openShare, useShareStore } from "./share-store.ts";

const { Part: ShareDialog, load } = lazyPart(() => import("./share-dialog.tsx"));

/** Opens the dialog of links that share the project. Draws nothing if the person may not share it. */
export function ShareButton() {
  if (!useMay("project.share")) return null;
  return (
    <button
      type="button"
      onClick={openShare}
      onPointerEnter={() => void load()}
      {...keysHint("share", words.share.share)}
      className="inline-flex h-7 items-center gap-1.5 rounded px-2 text-small text-quiet hover:bg-hover hover:text-ink"
    >
      <Share2 size={16} aria-hidden="true" /> {words.share.share}
    </button>
  );
}

/**
 * The dialog of shared links while it is open, and the command that opens it; its code is loaded when it is first
 * opened.
 */
export function ShareLinks() {
  const open = useShareStore((state) => state.open);
  const may = useMay("project.share");
  useCommand("share", may && openShare);
  return (
    open && (
      <Suspense>
        <ShareDialog onClose={closeShare} />
      </Suspense>
    )
  );
}

import { Suspense, useState } from "react";
import { Ellipsis } from "../ui/icons.ts";
import type { HistoryLine } from "../fold/history-lines.ts";
import { words } from "../words/words.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

/** The props of a checkpoint's button and its menu. */
export interface CheckpointMenuProps {
  line: HistoryLine;
  title: string;
  /** Whether these are the current files, so that there is nothing to restore. */
  isCurrent: boolean;
  onName: () => void;
  onUnname: () => void;
  onDone: () => void;
}

/** The button's style, the same before and after its menu has loaded. */
export const CHECKPOINT_MORE =
  "inline-flex size-7 shrink-0 items-center justify-center rounded text-quiet hover:bg-hover hover:text-ink pointer-coarse:size-11";

// Loaded lazily, because most people only go back to a checkpoint.
const { Part: CheckpointMenu, load: loadMenu } = lazyPart(() => import("./checkpoint-menu.tsx"));

/** Opens further actions for a checkpoint. */
export function CheckpointMore(props: CheckpointMenuProps) {
  const [asked, setAsked] = useState(false);
  const button = (
    <button
      type="button"
      aria-label={words.home.moreFor({ name: props.title })}
      aria-haspopup="menu"
      aria-expanded={false}
      title={words.home.more}
      className={CHECKPOINT_MORE}
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
      onClick={() => setAsked(true)}
    >
      <Ellipsis size={16} aria-hidden="true" />
    </button>
  );
  if (!asked) return button;
  return (
    <Suspense fallback={button}>
      <CheckpointMenu {...props} />
    </Suspense>
  );
}

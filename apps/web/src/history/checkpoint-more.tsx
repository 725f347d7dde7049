import { Suspense, useState } from "react";
import { Ellipsis } from "../ui/icons.ts";
import type { HistoryLine } from "../fold/history-lines.ts";
import { words } from "../words/words.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

/** What the button of a moment and its menu are given. */
export interface CheckpointMenuProps {
  line: HistoryLine;
  title: string;
  /** The files are so now: there is no way back to them. */
  isCurrent: boolean;
  onName: () => void;
  onUnname: () => void;
  onDone: () => void;
}

/** The look of the button, before its menu has come and after. */
export const CHECKPOINT_MORE =
  "inline-flex size-7 shrink-0 items-center justify-center rounded text-quiet hover:bg-hover hover:text-ink pointer-coarse:size-11";

// Most people go back, and nothing else.
const { Part: CheckpointMenu, load: loadMenu } = lazyPart(() => import("./checkpoint-menu.tsx"));

/** Opens what else can be done with a moment of the project. */
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

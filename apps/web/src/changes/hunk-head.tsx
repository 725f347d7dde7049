import { FocusableButton } from "../ui/button.tsx";
import { Check, Undo2 } from "../ui/icons.ts";
import { words } from "../words/words.ts";

const BUTTON =
  "inline-flex h-6 items-center gap-1 rounded px-1.5 text-small text-quiet hover:bg-hover hover:text-ink aria-pressed:text-verified aria-disabled:opacity-50 pointer-coarse:h-11 pointer-coarse:px-3";

/** The heading of one change: its number, and its actions. */
export function HunkHead({
  number,
  total,
  reviewed,
  busy,
  onKeep,
  onUndo,
}: {
  /** Counted from 1. */
  number: number;
  total: number;
  reviewed: boolean;
  busy: boolean;
  onKeep: () => void;
  /** Undefined until the texts needed for the undo are loaded. */
  onUndo: (() => void) | undefined;
}) {
  const name = words.changes.changeOf({ number, total });
  return (
    <div
      role="group"
      aria-label={name}
      data-change
      tabIndex={-1}
      className="flex items-center gap-1 border-t border-line pr-2 pl-3 font-sans first:border-t-0 focus:outline-2 focus:-outline-offset-2 focus:outline-accent"
    >
      <span className="numbers text-quiet">{name}</span>
      <span className="flex-1" />
      <button
        type="button"
        data-keep
        aria-pressed={reviewed}
        aria-label={
          reviewed ? words.changes.keptOne({ number }) : words.changes.keepOne({ number })
        }
        className={BUTTON}
        onClick={onKeep}
      >
        <Check size={13} aria-hidden="true" /> {reviewed ? words.changes.kept : words.changes.keep}
      </button>
      <FocusableButton
        data-undo
        aria-label={words.changes.undoOne({ number })}
        className={BUTTON}
        disabled={busy || !onUndo}
        onClick={onUndo}
      >
        <Undo2 size={13} aria-hidden="true" /> {words.changes.undo}
      </FocusableButton>
    </div>
  );
}

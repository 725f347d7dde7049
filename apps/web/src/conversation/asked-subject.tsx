import { visibleExactly } from "@treadle/protocol/safe-text";
import { foldCommand } from "./fold-command.ts";
import { listed, words } from "../words/words.ts";

/** Whether part of an approval question's subject is folded at first. */
export const isFolded = (what: readonly string[]): boolean =>
  what.some((one) => foldCommand(one, false).more !== undefined);

/**
 * The subject of an approval question, such as a command. A button says how much of it is folded, and unfolds it.
 * @param isUnfolded whether to show all of it
 */
export function AskedSubject({
  what,
  isUnfolded,
  onUnfold,
}: {
  what: readonly string[];
  isUnfolded: boolean;
  onUnfold: (isUnfolded: boolean) => void;
}) {
  const folded = what.map((one) => foldCommand(one, isUnfolded));
  const more = folded.flatMap((one) => one.more ?? []);
  return (
    <>
      <div className={`overflow-auto ${isUnfolded ? "max-h-[50vh]" : "max-h-[40vh]"}`}>
        {folded.map(({ rows }, index) => (
          <p key={index} className="mt-1 font-mono text-small break-all whitespace-pre-wrap">
            {rows.map(({ kind, text }, row) =>
              kind === "empty" ? (
                <span key={row} className="block font-sans text-quiet">
                  {text}
                </span>
              ) : (
                <span key={row} className="block min-h-[1lh]">
                  {visibleExactly(text)}
                </span>
              ),
            )}
          </p>
        ))}
      </div>
      {(more.length > 0 || isUnfolded) && (
        <button
          type="button"
          className="mt-1 text-small text-accent hover:underline pointer-coarse:min-h-11"
          onClick={() => onUnfold(!isUnfolded)}
        >
          {isUnfolded
            ? words.conversation.showLess
            : words.conversation.showAllOf({ more: listed(more) })}
        </button>
      )}
    </>
  );
}

import type { RefObject } from "react";
import { words } from "../words/words.ts";

/** Placeholder for the turns of a long conversation that are not drawn yet. */
export function EarlierTurns({
  at,
  count,
  onShow,
}: {
  at: RefObject<HTMLButtonElement | null>;
  count: number;
  onShow: () => void;
}) {
  return (
    <button
      ref={at}
      type="button"
      onClick={onShow}
      className="block w-full rounded-control py-1 text-center text-small text-accent hover:underline pointer-coarse:min-h-11"
    >
      {words.conversation.earlier({ amount: count })}
    </button>
  );
}

import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef } from "react";
import { ArrowDown, ArrowUp, X } from "../ui/icons.ts";
import { IconButton } from "../ui/button.tsx";
import { isComposing } from "../ui/composing.ts";
import { literalExpression } from "../ui/text-marks.ts";
import { words } from "../words/words.ts";
import { closeFind, showFound, useFind } from "./find-store.ts";
import { findInTurns, type FoundText } from "./find-texts.ts";
import { useShownTurns } from "./use-shown-turns.ts";

const isSame = (a: FoundText, b: FoundText | undefined) => a.line === b?.line && a.nth === b.nth;

/**
 * Searches the conversation, including folded parts and turns that are not drawn yet. The newest
 * match comes first.
 */
export function FindBar({ onClose }: { onClose: () => void }) {
  const query = useFind((state) => state.query);
  const requests = useFind((state) => state.requests);
  const current = useFind((state) => state.current);
  const field = useRef<HTMLInputElement>(null);
  const shownTurns = useDeferredValue(useShownTurns());
  const found = useMemo(() => {
    const expression = literalExpression(query);
    const turns = shownTurns.flatMap((one) => (one.kind === "turn" ? [one.turn] : one.turns));
    return expression ? findInTurns(turns, expression) : [];
  }, [query, shownTurns]);
  const at = found.findIndex((one) => isSame(one, current));

  useEffect(() => field.current?.select(), [requests]);
  // Streaming text changes the matches but does not scroll; only a new query does.
  const showNewest = useEffectEvent(() => {
    if (!current) showFound(found.at(-1));
  });
  useEffect(() => showNewest(), [query]);
  const go = (by: 1 | -1) => {
    const next = at < 0 ? found.length - 1 : (at + by + found.length) % found.length;
    showFound(found[next]);
  };
  const close = () => {
    closeFind();
    onClose();
  };
  return (
    <search
      aria-label={words.conversation.find}
      className="flex shrink-0 items-center gap-1 border-b border-line px-2 py-1"
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        if (event.key === "Escape") close();
        else if (event.key === "Enter" && event.target === field.current)
          go(event.shiftKey ? -1 : 1);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <input
        ref={field}
        type="text"
        aria-label={words.conversation.find}
        placeholder={words.conversation.find}
        value={query}
        maxLength={500}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => useFind.setState({ query: event.target.value, current: undefined })}
        className="h-7 min-w-0 flex-1 rounded border border-edge bg-paper px-2 pointer-coarse:h-11"
      />
      <span role="status" className="numbers shrink-0 px-1 text-small text-quiet">
        {query.trim() !== "" &&
          (found.length === 0
            ? words.conversation.findNone
            : words.conversation.findCount({ at: at + 1, all: found.length }))}
      </span>
      <IconButton
        name={words.conversation.findPrevious}
        disabled={found.length === 0}
        onClick={() => go(-1)}
      >
        <ArrowUp size={14} aria-hidden="true" />
      </IconButton>
      <IconButton
        name={words.conversation.findNext}
        disabled={found.length === 0}
        onClick={() => go(1)}
      >
        <ArrowDown size={14} aria-hidden="true" />
      </IconButton>
      <IconButton name={words.conversation.findEnd} onClick={close}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </search>
  );
}

import { useEffect, useState } from "react";
import { textOf } from "../fold/gathered.ts";
import { openTurn } from "../fold/select.ts";
import type { ProjectView } from "../fold/types.ts";
import { useLiveStore } from "../live/live-context.tsx";
import { newSentences } from "./new-sentences.ts";

/** Interval between announcements to screen readers, in milliseconds. */
const ANNOUNCE_INTERVAL_MS = 1_000;
/** Number of sentences that stay in the live region. */
const MAX_SENTENCES = 4;

/** The model's streaming text for screen readers: complete sentences one after the other, never tokens. */
export function SpokenText() {
  const store = useLiveStore();
  const [announced, setAnnounced] = useState<readonly string[]>([]);
  useEffect(() => {
    // Text from before the page was opened is not announced.
    let at = currentPlace(store.getState().view);
    const timer = setInterval(() => {
      const { view } = store.getState();
      const now = currentPlace(view);
      if (now.run !== at.run || now.index !== at.index) {
        // A text that has ended since then is announced to its end.
        const finished = textAt(view, at);
        if (finished !== undefined) announce(finished, at.announcedChars, true);
        at = { ...now, announcedChars: 0 };
      }
      const text = textAt(view, now);
      if (text !== undefined)
        at = { ...now, announcedChars: announce(text, at.announcedChars, false).announcedChars };
    }, ANNOUNCE_INTERVAL_MS);
    const announce = (text: string, from: number, ended: boolean) => {
      const next = newSentences(text, from, ended);
      if (next.sentences.length > 0)
        setAnnounced((before) => [...before, ...next.sentences].slice(-MAX_SENTENCES));
      return next;
    };
    return () => clearInterval(timer);
  }, [store]);
  return (
    <div aria-live="polite" className="sr-only">
      {announced.map((sentence, index) => (
        <p key={`${index} ${sentence}`}>{sentence}</p>
      ))}
    </div>
  );
}

interface Place {
  run: string | undefined;
  /** Index of the item in its turn. */
  index: number;
  announcedChars: number;
}

/** The item being written, with all of its current text counted as announced. */
function currentPlace(view: ProjectView): Place {
  const turn = openTurn(view);
  const place = { run: turn?.run, index: (turn?.items.length ?? 0) - 1 };
  return { ...place, announcedChars: textAt(view, { ...place, announcedChars: 0 })?.length ?? 0 };
}

/** The text of an item; undefined if the item is not text, such as a tool call, or does not exist. */
function textAt(view: ProjectView, { run, index }: Place): string | undefined {
  if (run === undefined) return undefined;
  const item = view.turns.findLast((turn) => turn.run === run)?.items[index];
  return item?.kind === "text" ? textOf(item.text) : undefined;
}

import { useEffect, useState } from "react";
import { textOf } from "../fold/gathered.ts";
import { openTurn } from "../fold/select.ts";
import type { ProjectView } from "../fold/types.ts";
import { useLiveStore } from "../live/live-context.tsx";
import { newSentences } from "./new-sentences.ts";

/** Readers of the screen are told what came in the last so many milliseconds. */
const EVERY_MS = 1_000;
/** Sentences that stand there at a time. */
const KEPT = 4;

/** What the model says while it streams, for those who hear it: whole sentences, one after the other, never tokens. */
export function SpokenText() {
  const store = useLiveStore();
  const [announced, setAnnounced] = useState<readonly string[]>([]);
  useEffect(() => {
    // What was said before the page was opened is read where it stands.
    let at = where(store.getState().view);
    const timer = setInterval(() => {
      const { view } = store.getState();
      const now = where(view);
      if (now.run !== at.run || now.index !== at.index) {
        // What ended since then is told to its end.
        const left = textAt(view, at);
        if (left !== undefined) announce(left, at.announcedChars, true);
        at = { ...now, announcedChars: 0 };
      }
      const text = textAt(view, now);
      if (text !== undefined)
        at = { ...now, announcedChars: announce(text, at.announcedChars, false).announcedChars };
    }, EVERY_MS);
    const announce = (text: string, from: number, ended: boolean) => {
      const next = newSentences(text, from, ended);
      if (next.sentences.length > 0)
        setAnnounced((before) => [...before, ...next.sentences].slice(-KEPT));
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
  /** Of the item among those of its turn. */
  index: number;
  announcedChars: number;
}

/** The item that is made now, and what of it is not news. */
function where(view: ProjectView): Place {
  const turn = openTurn(view);
  const place = { run: turn?.run, index: (turn?.items.length ?? 0) - 1 };
  return { ...place, announcedChars: textAt(view, { ...place, announcedChars: 0 })?.length ?? 0 };
}

/** What the model says there; undefined where it says nothing to the person. */
function textAt(view: ProjectView, { run, index }: Place): string | undefined {
  if (run === undefined) return undefined;
  const item = view.turns.findLast((turn) => turn.run === run)?.items[index];
  return item?.kind === "text" ? textOf(item.text) : undefined;
}

import type { HeldReason } from "@treadle/protocol";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { listed, words } from "../words/words.ts";

const quoted = (others: readonly string[]) =>
  listed(others.map((text) => words.conversation.parallel.quoted({ text: visible(text) })));

/** Why a parallel request was not merged, as a sentence. */
export function heldWords(held: HeldReason): string {
  const { parallel } = words.conversation;
  switch (held.code) {
    case "conflict": {
      const { others } = held.values;
      const files = listed(held.values.files.map(visible));
      return others.length > 0
        ? parallel.conflict({ others: quoted(others), count: others.length, files })
        : parallel.conflictAlone({ files });
    }
    case "unfit": {
      const { others } = held.values;
      return others.length > 0 ? parallel.unfit({ others: quoted(others) }) : parallel.unfitAlone;
    }
    case "unfinished":
      return held.values.outcome === "stopped" ? parallel.wasStopped : parallel.unfinished;
    case "unmerged":
      return parallel.unmerged({ why: visibleProse(held.values.why) });
  }
}

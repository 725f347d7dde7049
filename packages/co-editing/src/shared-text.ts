import { diffLines, splitLines } from "@treadle/dialects/diff";
import { inFormOf, plainText } from "@treadle/dialects/text-form";
import * as Y from "yjs";

/** The name of the text inside its document, which the page uses too. */
const TEXT = "text";

/** Where an update came from; it is passed on to everybody else. */
export type Origin = string | undefined;

/**
 * The text of a file as several editors change it at once, and the same text as the disk last had
 * it. Both are Yjs documents with a common history: a change on the disk is made in the second as
 * a difference against what the disk had, and merged into the first. So it removes only characters
 * that were on the disk, and nothing that somebody typed meanwhile.
 */
export interface SharedText {
  /** The text that the editors see, in the form of the file: its line endings and byte-order mark. */
  content(): string;
  /** Whether the editors' text differs from the disk's. */
  isAhead(): boolean;
  /** Applies an editor's update. @throws if it is no update */
  apply(update: Uint8Array, origin: Origin): void;
  /** What somebody lacks who has the given state, and the own state. @throws if it is no state */
  missing(vector: Uint8Array | undefined): { update: Uint8Array; vector: Uint8Array };
  /** Merges what somebody else wrote to the disk. */
  merge(content: string): void;
  /** Call when the disk has the content that was current at that snapshot. */
  saved(snapshot: Uint8Array, content: string): void;
  /** All that is needed to make the text again. */
  snapshot(): Uint8Array;
  close(): void;
}

/**
 * @param content the file's content on the disk
 * @param onUpdate called for each change, with where it came from; undefined: the disk
 */
export function createSharedText(
  content: string,
  onUpdate: (update: Uint8Array, origin: Origin) => void,
): SharedText {
  const live = new Y.Doc();
  const disk = new Y.Doc();
  let form = content;
  disk.getText(TEXT).insert(0, plainText(content));
  Y.applyUpdate(live, Y.encodeStateAsUpdate(disk));
  live.on("update", (update: Uint8Array, origin: unknown) =>
    onUpdate(update, typeof origin === "string" ? origin : undefined),
  );
  const text = () => live.getText(TEXT).toString();
  return {
    content: () => inFormOf(form, text()),
    isAhead: () => text() !== disk.getText(TEXT).toString(),
    apply: (update, origin) => Y.applyUpdate(live, update, origin),
    missing: (vector) => ({
      update: Y.encodeStateAsUpdate(live, vector),
      vector: Y.encodeStateVector(live),
    }),
    merge(next) {
      form = next;
      const shared = disk.getText(TEXT);
      const changes = changesBetween(shared.toString(), plainText(next));
      if (changes.length === 0) return;
      const before = Y.encodeStateVector(disk);
      disk.transact(() => {
        // From the end, so that the places before stay where they are.
        for (const { from, to, insert } of changes.toReversed()) {
          shared.delete(from, to - from);
          shared.insert(from, insert);
        }
      });
      Y.applyUpdate(live, Y.encodeStateAsUpdate(disk, before));
    },
    saved(snapshot, written) {
      form = written;
      Y.applyUpdate(disk, snapshot);
    },
    snapshot: () => Y.encodeStateAsUpdate(live),
    close() {
      live.destroy();
      disk.destroy();
    },
  };
}

/** A span of the old text, and what the new one has in its place. */
interface Change {
  from: number;
  to: number;
  insert: string;
}

/** The spans in which two texts differ: whole lines, without what both ends of them have in common. */
function changesBetween(before: string, after: string): Change[] {
  const [old, fresh] = [splitLines(before), splitLines(after)];
  const starts = [0];
  for (const line of old) starts.push(starts.at(-1)! + line.length);
  return diffLines(old, fresh).map(({ oldFrom, oldTo, newFrom, newTo }) =>
    trimmed(
      starts[oldFrom]!,
      old.slice(oldFrom, oldTo).join(""),
      fresh.slice(newFrom, newTo).join(""),
    ),
  );
}

function trimmed(at: number, old: string, fresh: string): Change {
  const shorter = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shorter && old.charCodeAt(start) === fresh.charCodeAt(start)) start++;
  if (isHighSurrogate(old.charCodeAt(start - 1))) start--;
  let end = 0;
  while (
    end < shorter - start &&
    old.charCodeAt(old.length - 1 - end) === fresh.charCodeAt(fresh.length - 1 - end)
  )
    end++;
  if (isLowSurrogate(old.charCodeAt(old.length - end))) end--;
  return {
    from: at + start,
    to: at + old.length - end,
    insert: fresh.slice(start, fresh.length - end),
  };
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code < 0xdc00;
const isLowSurrogate = (code: number) => code >= 0xdc00 && code < 0xe000;

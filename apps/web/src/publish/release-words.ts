import type { Release } from "@treadle/protocol";
import { codedWords } from "../words/coded-words.ts";

/** A release's progress, or why it failed, in the page's language; undefined if unknown. */
export const releaseWords = (
  release: Pick<Release, "said" | "saidCode"> | undefined,
): string | undefined =>
  release?.said === undefined ? undefined : codedWords(release.said, release.saidCode);

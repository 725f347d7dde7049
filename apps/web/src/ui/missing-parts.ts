import { create } from "zustand";

/** A part of the page that was asked for and did not come. */
export interface MissingPart {
  /** Asks for it once more. */
  again(): void;
  /** Does without it; absent where it stands in the page itself. */
  close?: (() => void) | undefined;
}

/** What is missing just now, as what stands in the place of each says. */
export const useMissingParts = create<{ parts: readonly MissingPart[] }>(() => ({ parts: [] }));

/** @returns what takes it back */
export function tellMissing(part: MissingPart): () => void {
  useMissingParts.setState(({ parts }) => ({ parts: [...parts, part] }));
  return () =>
    useMissingParts.setState(({ parts }) => ({ parts: parts.filter((one) => one !== part) }));
}

import { create } from "zustand";

/** A part of the page that failed to load. */
export interface MissingPart {
  /** Loads it again, and reloads the page if only that helps. Rejects if the server does not answer. */
  again(): Promise<void>;
  /** Closes the part; undefined if it is embedded in the page. */
  close?: (() => void) | undefined;
}

/** The parts currently missing, registered by the components shown in their place. */
export const useMissingParts = create<{ parts: readonly MissingPart[] }>(() => ({ parts: [] }));

/** Registers a missing part. @returns a function that removes it */
export function registerMissing(part: MissingPart): () => void {
  useMissingParts.setState(({ parts }) => ({ parts: [...parts, part] }));
  return () =>
    useMissingParts.setState(({ parts }) => ({ parts: parts.filter((one) => one !== part) }));
}

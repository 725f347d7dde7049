import { create } from "zustand";
import type { FoundText } from "./find-texts.ts";

/** The search in the conversation. */
interface FindState {
  /** The project whose conversation is searched; undefined while the search is closed. */
  project: string | undefined;
  /** Increases with each request to search, so that the field takes the focus again. */
  requests: number;
  query: string;
  /** The match to show; `serial` increases each time it is shown. */
  current: (FoundText & { serial: number }) | undefined;
}

export const useFind = create<FindState>(() => ({
  project: undefined,
  requests: 0,
  query: "",
  current: undefined,
}));

/** Opens the search in a project's conversation. */
export const openFind = (project: string): void =>
  useFind.setState(({ requests }) => ({ project, requests: requests + 1 }));

/** Closes the search, and removes its marks. */
export const closeFind = (): void =>
  useFind.setState({ project: undefined, query: "", current: undefined });

let serial = 0;

/** Shows a match: draws its turn, opens its line and scrolls to it. */
export const showFound = (found: FoundText | undefined): void =>
  useFind.setState({ current: found && { ...found, serial: ++serial } });

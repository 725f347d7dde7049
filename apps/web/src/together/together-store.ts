import type { Present, TogetherFromPage, TogetherToPage } from "@treadle/protocol";
import { create } from "zustand";

type FileMessage = Extract<TogetherToPage, { path: string }>;

/** The page's connection to the others who have the project open. It reconnects by itself. */
export interface TogetherLine {
  /** Sends a message; dropped while the connection is lost. */
  send(message: TogetherFromPage): void;
  readonly isOpen: boolean;
  /**
   * Receives the messages about a file.
   * @param listener.onOpen called now if the connection is open, and whenever it opens again
   * @returns a function that stops receiving them
   */
  follow(
    path: string,
    listener: { onOpen(): void; onLost(): void; onMessage(message: FileMessage): void },
  ): () => void;
}

/** The people who have the project open, and the connection to them; both are empty on a server without accounts. */
export const useTogether = create<{
  line: TogetherLine | undefined;
  /** The id of this page among the people. */
  you: string | undefined;
  people: readonly Present[];
}>(() => ({ line: undefined, you: undefined, people: [] }));

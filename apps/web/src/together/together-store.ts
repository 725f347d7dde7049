import type { Present, TogetherFromPage, TogetherToPage } from "@treadle/protocol";
import { create } from "zustand";

type FileMessage = Extract<TogetherToPage, { path: string }>;

/** The page's connection to the others who have the project open. It reconnects by itself. */
export interface TogetherLine {
  /** Sends a message; dropped while the connection is lost. */
  send(message: TogetherFromPage): void;
  readonly isOpen: boolean;
  /**
   * Receives what concerns a file.
   * @param listener.onOpen called now if the connection is open, and whenever it opens again
   * @returns stops receiving
   */
  follow(
    path: string,
    listener: { onOpen(): void; onLost(): void; onMessage(message: FileMessage): void },
  ): () => void;
}

/** Who has the project open. Without a team there is no line, and nobody else. */
export const useTogether = create<{
  line: TogetherLine | undefined;
  /** The id of this page among the people. */
  you: string | undefined;
  people: readonly Present[];
}>(() => ({ line: undefined, you: undefined, people: [] }));

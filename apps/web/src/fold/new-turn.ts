import type { Turn } from "./types.ts";

/** The turn of a message that nothing has followed yet. */
export function newTurn(message: string, text: string, at: number, queued: boolean): Turn {
  return {
    message,
    text,
    at,
    queued,
    items: [],
    lastAt: at,
    after: [],
  };
}

import type { Turn } from "./types.ts";

/** The turn of a message before anything came of it. */
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

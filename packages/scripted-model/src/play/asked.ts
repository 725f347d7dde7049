/** What a request asks, the same for every wire. */
export interface Asked {
  model: string;
  stream: boolean;
  /** Names of the tools on offer. */
  tools: string[];
  /** Chat Completions sends usage only when it is asked to. */
  includeUsage: boolean;
  /** How many there are, in messages and in results. */
  pictures: number;
  entries: Entry[];
}

/** One thing said; system texts come first, wherever the wire keeps them. */
export interface Entry {
  by: "system" | "user" | "assistant" | "tool";
  text: string;
}

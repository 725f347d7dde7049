/** A request, independent of its wire format. */
export interface Asked {
  model: string;
  stream: boolean;
  /** Names of the offered tools. */
  tools: string[];
  /** Chat Completions only sends usage on request. */
  includeUsage: boolean;
  /** Number of pictures in messages and results. */
  pictures: number;
  entries: Entry[];
}

/** One message; system texts come first, wherever the format has them. */
export interface Entry {
  by: "system" | "user" | "assistant" | "tool";
  text: string;
}

import { words } from "../words/words.ts";

/** Sentences to begin with. Each is whole, so that it can be sent as it stands. */
export const examples = (): { label: string; prompt: string }[] =>
  Object.values(words.home.example);

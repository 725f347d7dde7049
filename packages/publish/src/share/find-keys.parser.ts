import { spelledOut } from "../gate/files/spelled-out.ts";
import { runSecretlint } from "../gate/secrets/run-secretlint.ts";

/** Keys of one text that are found; a text with more is a list of keys. */
const MAX_KEYS = 200;

/** Keys of kinds that only secretlint knows, as they are written in the texts and as programs put them together. */
export async function parse(texts: readonly string[]): Promise<string[]> {
  const all = texts.join("\n");
  const found: string[] = [];
  for (const text of [all, spelledOut(all)?.text ?? ""])
    for (const { from, to } of await runSecretlint({ path: "conversation.txt", text }, MAX_KEYS))
      found.push(text.slice(from, to));
  return found;
}

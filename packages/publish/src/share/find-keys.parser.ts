import { spelledOut } from "../gate/files/spelled-out.ts";
import { runSecretlint } from "../gate/secrets/run-secretlint.ts";

/** Maximum number of keys found in one text. */
const MAX_KEYS = 200;

/** Finds keys of kinds that only secretlint knows, in the texts and in their decoded forms. */
export async function parse(texts: readonly string[]): Promise<string[]> {
  const all = texts.join("\n");
  const found: string[] = [];
  for (const text of [all, spelledOut(all)?.text ?? ""])
    for (const { from, to } of await runSecretlint({ path: "conversation.txt", text }, MAX_KEYS))
      found.push(text.slice(from, to));
  return found;
}

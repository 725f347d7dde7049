import { visible } from "@treadle/protocol/safe-text";
import type { MissingServer } from "@treadle/protocol";
import { codedWords } from "../words/coded-words.ts";
import { words } from "../words/words.ts";

/** Tool servers that are missing in this turn, which explains why their tools are not called. */
export function ToolsMissingLine({ servers }: { servers: readonly MissingServer[] }) {
  return (
    <ul aria-label={words.conversation.toolsMissing} className="text-small text-unsure">
      {servers.map(({ name, why, whyCode }) => (
        <li key={name} className="break-words">
          {words.conversation.without({
            server: visible(name),
            why: visible(codedWords(why, whyCode)),
          })}
        </li>
      ))}
    </ul>
  );
}

import type { SendMessage } from "@treadle/protocol";
import { words } from "../words/words.ts";

/**
 * Asks for the repair of what is broken now. What that is the server knows: it is no part of what the person says. It is said
 * in the page's language, as the answer is in the language of what was said.
 */
export const askRepair = (): SendMessage => ({ text: words.evidence.askRepair, fix: true });

/**
 * Asks for the repair of what a terminal shows. It is only named: the server reads what stands there, and tells it as
 * material and not as the person's words.
 */
export const askTerminalRepair = (terminal: string): SendMessage => ({
  text: words.terminal.askRepair({ mention: `@terminal:${terminal}` }),
});

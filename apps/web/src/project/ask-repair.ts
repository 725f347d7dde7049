import type { SendMessage } from "@treadle/protocol";

/** Asks for the repair of what is broken now. What that is the server knows: it is no part of what the person says. */
export const ASK_REPAIR: SendMessage = { text: "Fix the problems found.", fix: true };

import { createContext, use } from "react";

/** The message that a part of the conversation belongs to; absent where it cannot be said once more. */
export const TurnMessage = createContext<string | undefined>(undefined);

export const useTurnMessage = () => use(TurnMessage);

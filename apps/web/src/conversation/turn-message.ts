import { createContext, use } from "react";

/** The message that a part of the conversation belongs to; undefined if it cannot be sent again. */
export const TurnMessage = createContext<string | undefined>(undefined);

export const useTurnMessage = () => use(TurnMessage);

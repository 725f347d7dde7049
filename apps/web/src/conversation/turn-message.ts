import { createContext, use } from "react";

/** The id of the message that a part of the conversation belongs to; undefined if the message cannot be sent again. */
export const TurnMessage = createContext<string | undefined>(undefined);

export const useTurnMessage = () => use(TurnMessage);

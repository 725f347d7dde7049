import type { UIMessage } from "ai";
import type { RunBudget } from "../../budget/budget.ts";
import type { Model } from "../../ports/model.ts";
import type { Conversation } from "../conversation/conversation.ts";

/** What it takes to keep a run's conversation as short as its model needs it. */
export interface Fitting {
  readonly conversation: Conversation;
  readonly model: Model;
  readonly budget: RunBudget;
  /** Tokens of a request before the conversation: of the prompt, our tools and foreign ones. */
  fixedTokens(): number;
  /** How often the model said that the conversation does not fit. */
  overflows: number;
  /** That the conversation was told as text because its form was refused; settled once it is known whether that helped. */
  retelling?: { state: "tried"; note: UIMessage; before: number } | { state: "settled" };
  /** Tokens that the conversation may take, where the model has shown that it is less than was thought. */
  room?: number;
}

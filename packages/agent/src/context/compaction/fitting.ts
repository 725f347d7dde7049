import type { UIMessage } from "ai";
import type { RunBudget } from "../../budget/budget.ts";
import type { Model } from "../../ports/model.ts";
import type { Conversation } from "../conversation/conversation.ts";

/** The state needed to keep a run's conversation within the model's window. */
export interface Fitting {
  readonly conversation: Conversation;
  readonly model: Model;
  readonly budget: RunBudget;
  /** Tokens of a request before the conversation: the prompt, built-in tools and external tools. */
  fixedTokens(): number;
  /** How often the model has rejected the conversation as too long in this run. */
  overflows: number;
  /**
   * Set if the conversation was rewritten as text because its form was refused; `settled` once it
   * is known whether that helped.
   */
  retelling?: { state: "tried"; note: UIMessage; before: number } | { state: "settled" };
  /** Tokens available for the conversation, if the model turned out to have less than assumed. */
  room?: number;
}

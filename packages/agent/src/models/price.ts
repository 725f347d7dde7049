import { calcPrice } from "@pydantic/genai-prices";
import type { Model } from "../ports/model.ts";

/** Names of providers in the price list, if they differ. */
const NAMES: Record<string, string> = { xai: "x-ai", bedrock: "aws" };
/**
 * Tokens for which a price is calculated; few enough for the lowest tier of providers that charge more for long
 * prompts.
 */
const SAMPLE = 1_000;

/**
 * The price in dollars per million tokens and the window size, from the price list that comes with Treadle. Empty if
 * the list does not have the model.
 */
export function findPrice(provider: string, model: string): Pick<Model, "price" | "contextWindow"> {
  const calculate = (usage: {
    input_tokens?: number;
    cache_read_tokens?: number;
    cache_write_tokens?: number;
    output_tokens?: number;
  }) => calcPrice(usage, model, { providerId: NAMES[provider] ?? provider });
  const ask = (usage: Parameters<typeof calculate>[0]) => calculate(usage)?.total_price;
  try {
    const contextWindow = calculate({ input_tokens: SAMPLE })?.model.context_window;
    const input = ask({ input_tokens: SAMPLE });
    const cachedInput = ask({ input_tokens: SAMPLE, cache_read_tokens: SAMPLE });
    const cacheWrite = ask({ input_tokens: SAMPLE, cache_write_tokens: SAMPLE });
    const output = ask({ output_tokens: SAMPLE });
    if (input === undefined || output === undefined) return {};
    const perMillion = (dollars: number) => (dollars * 1_000_000) / SAMPLE;
    return {
      price: {
        input: perMillion(input),
        cachedInput: perMillion(cachedInput ?? input),
        // Some providers charge a quarter more than for plain input. The list has no price for an hour of caching.
        cacheWrite: perMillion(cacheWrite ?? input),
        output: perMillion(output),
      },
      contextWindow,
    };
  } catch {
    return {};
  }
}

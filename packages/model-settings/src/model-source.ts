import type { Model, ProviderKey } from "@treadle/agent";
import type { CacheLevel, ModelHabits, ModelsInfo, ThinkingLevel } from "@treadle/protocol";

/** What a model will be asked for. */
export interface ModelUse {
  /** The person's id; absent: whoever makes the request. */
  person?: string | undefined;
  project?: string | undefined;
  run?: string | undefined;
  /** Replaces what the server has for the provider. */
  key?: ProviderKey | undefined;
}

/** The source of models. */
export interface ModelSource {
  /** The model for new runs; undefined if none is chosen or found. */
  chosen(): Promise<string | undefined>;
  /**
   * A model ready to be called.
   * @param use absent if it is not going to be asked anything
   * @throws ApiFailure `model-unknown`, `model-missing`, `key-missing`; `budget` if a budget of its use is used up
   */
  resolve(id: string, use?: ModelUse): Promise<Model>;
  /** Replaces the learned habits of a model. Never rejects. */
  learn?(id: string, habits: ModelHabits): Promise<void>;
  /**
   * The prompt of a recorded build.
   * @throws ApiFailure if there is none with that id
   */
  demoPrompt(demo: string): string;
}

/** Models as configured in the page. Keys are stored and never returned. */
export interface ModelSettings extends ModelSource {
  info(): Promise<ModelsInfo>;
  choose(model: string): Promise<void>;
  setKey(provider: string, settings: { key?: string; address?: string }): Promise<void>;
  /** Removes the learned habits of a model. */
  forget(model: string): Promise<void>;
  /** Sets whether a model accepts pictures; undefined: guessed by its name. */
  setSees(model: string, sees: boolean | undefined): Promise<void>;
  /** Sets the amount of reasoning; undefined: the default, or `TREADLE_THINKING`. */
  setThinking(model: string, thinking: ThinkingLevel | undefined): Promise<void>;
  /**
   * Sets how long its provider caches prompts; undefined: the default, or `TREADLE_PROMPT_CACHE`.
   * @throws ApiFailure `cache-unknown` if the model does not offer that
   */
  setCache(model: string, cache: CacheLevel | undefined): Promise<void>;
  removeKey(provider: string): Promise<void>;
  /**
   * Requests a single word from the provider, with the typed settings instead of the stored ones.
   * Stores nothing.
   * @throws ApiFailure with the provider's message
   */
  test(
    provider: string,
    typed?: { model?: string | undefined; key?: string | undefined; address?: string | undefined },
  ): Promise<void>;
}

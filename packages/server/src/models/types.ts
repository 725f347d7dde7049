import type { Model } from "@treadle/agent";
import type { CacheLevel, ModelHabits, ModelsInfo, ThinkingLevel } from "@treadle/protocol";

/** Where models come from. */
export interface ModelSource {
  /** The model that new runs use; undefined where nobody chose and none is found. */
  chosen(): Promise<string | undefined>;
  /** A model ready to be called. @throws ApiFailure `model-unknown`, `model-missing`, `key-missing`. */
  resolve(id: string): Promise<Model>;
  /** Keeps what a model has shown of itself, in place of what was. Never rejects. */
  learn?(id: string, habits: ModelHabits): Promise<void>;
  /** What a person would have typed for a recorded build. @throws ApiFailure when there is none of that id. */
  demoPrompt(demo: string): string;
}

/** Models as the page sets them up. Keys go in and never come out. */
export interface ModelSettings extends ModelSource {
  info(): Promise<ModelsInfo>;
  choose(model: string): Promise<void>;
  setKey(provider: string, settings: { key?: string; address?: string }): Promise<void>;
  /** Forgets what a model has shown of itself. */
  forget(model: string): Promise<void>;
  /** Says whether a model reads pictures; undefined: it is guessed by its name. */
  setSees(model: string, sees: boolean | undefined): Promise<void>;
  /** Says how much a model is to think; undefined: as it likes, or as `TREADLE_THINKING` has it. */
  setThinking(model: string, thinking: ThinkingLevel | undefined): Promise<void>;
  /**
   * Says how long its provider is to cache prompts; undefined: as `TREADLE_PROMPT_CACHE` has it, or as usual.
   * @throws ApiFailure `cache-unknown` where the model does not offer that.
   */
  setCache(model: string, cache: CacheLevel | undefined): Promise<void>;
  removeKey(provider: string): Promise<void>;
  /**
   * Asks the provider for one word, with what is typed in place of what is kept; none of it is kept.
   * @throws ApiFailure with what it said.
   */
  test(
    provider: string,
    typed?: { model?: string | undefined; key?: string | undefined; address?: string | undefined },
  ): Promise<void>;
}

import type { Health, ModelsInfo } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import type { McpHub } from "../mcp/types.ts";
import type { OwnRulesFile } from "../personal/own-rules.ts";
import type { KeptPictures } from "../pictures/kept-pictures.ts";
import type { OwnProjectService } from "../project-service.ts";
import type { SettingsService } from "../project-settings.ts";
import type { ModelSource } from "../runtime/types.ts";
import type { Runtimes } from "../runtime/runtimes.ts";

/** Models as the page sets them up. Keys go in and never come out. */
export interface ModelSettings extends ModelSource {
  info(): Promise<ModelsInfo>;
  choose(model: string): Promise<void>;
  setKey(provider: string, settings: { key?: string; address?: string }): Promise<void>;
  /** Forgets what a model has shown of itself. */
  forget(model: string): Promise<void>;
  /** Says whether a model reads pictures; undefined: it is guessed by its name. */
  setSees(model: string, sees: boolean | undefined): Promise<void>;
  removeKey(provider: string): Promise<void>;
  /** Asks the provider for one word. @throws ApiFailure with what it said. */
  test(provider: string, model?: string): Promise<void>;
}

/** What the routes work with. */
export interface Services {
  store: Store;
  projects: OwnProjectService;
  runtimes: Runtimes;
  models: ModelSettings;
  settings: SettingsService;
  /** Pictures that were sent in a project. */
  picturesOf(project: string): KeptPictures;
  /** The person's own rules. */
  personal: OwnRulesFile;
  mcp: McpHub;
  health(): Promise<Health>;
  /** Origin of a project's preview, without a path. */
  previewOrigin(capability: string): string;
  now(): number;
}

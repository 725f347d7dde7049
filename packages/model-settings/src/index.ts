/** Which models there are, where their keys come from, and who may use them. */
export { createDemoPlayer, type DemoPlayer } from "./demo-player.ts";
export { checkCache, openModelSettings } from "./model-settings.ts";
export type { ModelSettings, ModelSource } from "./model-source.ts";
export { teamModels } from "./team-models.ts";

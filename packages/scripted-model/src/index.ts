export { createScriptedModel } from "./server/scripted-model.ts";
export type {
  RecordedRequest,
  ScriptedModel,
  ScriptedModelOptions,
} from "./server/scripted-model.ts";
export type { Pace } from "./server/pace.ts";
export type { Chunking } from "./server/chunks.ts";
export { loadScript } from "./script/load-script.ts";
export { parseScript } from "./script/parse-script.ts";
export { ScriptError } from "./script/errors.ts";
export type { Condition, Fault, Part, Script, Step, Subject, WireName } from "./script/types.ts";
export { listDemos, startDemoModel, testScript } from "./demos.ts";
export type { Demo, TestScript } from "./demos.ts";

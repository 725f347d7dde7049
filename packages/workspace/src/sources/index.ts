export { chooseFiles, decidingBytes } from "./choose-files.ts";
export { isDoubtful, createSources, type Place, type SourceReader } from "./sources.ts";

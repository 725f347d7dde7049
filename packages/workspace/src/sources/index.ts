export { isDoubtful, createSources, type Place, type SourceReader } from "./sources.ts";

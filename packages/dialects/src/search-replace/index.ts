export { createSearchReplaceReader, parseSearchReplace, SEARCH_REPLACE_LIMITS } from "./parse.ts";
export { formatSearchReplace } from "./serialize.ts";
export type {
  SearchReplaceLimits,
  SearchReplaceReader,
  SearchReplaceReaderOptions,
  SearchReplaceResult,
} from "./types.ts";

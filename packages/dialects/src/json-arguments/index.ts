export { ARGUMENT_LIMITS, createArgumentReader } from "./read.ts";
export type {
  ArgumentEvent,
  ArgumentLimits,
  ArgumentPath,
  ArgumentReader,
  ArgumentReaderOptions,
} from "./types.ts";

export type * from "./types.ts";
export { ListenError } from "./types.ts";
export { VERSION } from "./common/version.ts";
export { createTreadle } from "./create-treadle.ts";
export { weighServer } from "@treadle/workspace";
export { attack } from "./attack.ts";
export { diagnose } from "./diagnose.ts";
export { findChromium } from "./browser/find-chromium.ts";
export { faultOfDatabase, snapshotDatabase } from "@treadle/store";

/** The headless browser that looks at previews, and source maps. */
export { attackFromBrowser } from "./look/browser-attacks.ts";
export { browserCheck } from "./look/browser-check.ts";
export { createBrowser } from "./look/browser.ts";
export { ACTS } from "./look/dead-links.ts";
export { findChromium } from "./look/find-chromium.ts";
export { attackFromTakenBrowser } from "./look/taken-browser.ts";
export {
  BrowserError,
  type BrowserOptions,
  type Inspection,
  type Look,
  type LookOrigin,
  type PreviewBrowser,
  type Screenshot,
  type WayToPreviews,
} from "./look/types.ts";
export type { PageStyle } from "./look/read-style.ts";
export { placeCounted } from "./source-maps/place-counted.ts";
export { placeProblems } from "./source-maps/place-problems.ts";

/** Sent with every response of the app. No CORS header is ever sent. */
export const COMMON_HEADERS: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  // Windows that a preview opens (a sign-in) may answer it; an opener of this page has no access to
  // it.
  "cross-origin-opener-policy": "same-origin-allow-popups",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
};

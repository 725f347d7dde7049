/** Sandbox permissions of the preview frame: everything a tab of its own has, except navigating the whole window. */
export const SANDBOX =
  "allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-popups allow-pointer-lock allow-orientation-lock allow-presentation";
/**
 * Features that the page may use in the frame. Excludes those for which the browser asks the person once per origin
 * (camera, location, devices): an answer for one app would apply to every other.
 */
export const ALLOW = [
  "accelerometer",
  "autoplay",
  "clipboard-write",
  "cross-origin-isolated",
  "encrypted-media",
  "fullscreen",
  "gamepad",
  "gyroscope",
  "identity-credentials-get",
  "keyboard-map",
  "magnetometer",
  "payment",
  "picture-in-picture",
  "publickey-credentials-create",
  "publickey-credentials-get",
  "screen-wake-lock",
].join("; ");

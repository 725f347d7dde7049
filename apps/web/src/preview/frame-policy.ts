/** What a previewed page may do in its frame: all that it may in its own tab, but for taking the whole window away. */
export const SANDBOX =
  "allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-popups allow-pointer-lock allow-orientation-lock allow-presentation";
/**
 * What a page may use in the frame as in its own tab. Not among them is what a browser asks a person about once for this
 * page: their answer for one app (camera, place, devices) would hold for every other.
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

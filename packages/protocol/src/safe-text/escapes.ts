/** ECMA-48 sequences: CSI, OSC (ended by BEL or ST), and two-character escapes. */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex -- taking them out is what this does
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** Control characters except tabs and line ends: they move the cursor, ring, or begin an escape sequence. */
// oxlint-disable-next-line no-control-regex -- taking them out is what this does
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Terminal output as a person sees it (A41): without escape sequences, and with only the last state
 * of a line redrawn with carriage returns (progress bars). Linear time.
 */
export function plainOutput(output: string): string {
  return output
    .replaceAll(ESCAPES, "")
    .split("\n")
    .map((line) => {
      const drawn = line.endsWith("\r") ? line.slice(0, -1) : line;
      return drawn.slice(drawn.lastIndexOf("\r") + 1);
    })
    .join("\n");
}

/**
 * Text of models and programs without terminal control characters (A41); tabs and line ends stay.
 */
export const withoutControls = (text: string): string =>
  text.replaceAll(ESCAPES, "").replaceAll(CONTROLS, "");

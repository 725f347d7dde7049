/** ECMA-48 sequences: CSI, OSC (ended by BEL or ST), and two-character escapes. */
const ESCAPES = new RegExp(
  // oxlint-disable-next-line no-control-regex
  "\\u001b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?|[@-Z\\\\-_])",
  "g",
);

/**
 * Terminal output as the model reads it (A41): escape sequences gone, and of a line that was redrawn with carriage
 * returns (progress bars) only its last state.
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

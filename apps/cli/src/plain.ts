/** What turns the direction of text: a file's name could look like another one (A42). */
const TURNS_TEXT = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text of models and programs without what moves the cursor, retitles the window or hides itself (A41, A42). */
export function plain(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- taking control characters out is what this does
      .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")
      .replace(TURNS_TEXT, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`)
  );
}

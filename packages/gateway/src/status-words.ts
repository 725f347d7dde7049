/** Characters that are invalid in a status line. Node accepts them from an app, but refuses to send them. */
const UNSENT = /[^\t\x20-\x7e\x80-\xff]/;

/** The status text of an app; undefined if Node cannot send it, and then sends the usual one. */
export const statusWords = (text: string | undefined): string | undefined =>
  text === undefined || UNSENT.test(text) ? undefined : text;

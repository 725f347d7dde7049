/** What stands in no status line: Node takes it from an app, and refuses to pass it on. */
const UNSENT = /[^\t\x20-\x7e\x80-\xff]/;

/** The words that an app gave its status; undefined where they are the usual ones. */
export const statusWords = (text: string | undefined): string | undefined =>
  text === undefined || UNSENT.test(text) ? undefined : text;

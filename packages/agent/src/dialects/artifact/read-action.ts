/** The arguments of `read_file`, written on one line: `path`, or `path lines 41 to 80`. */
export interface ReadInput {
  path: string;
  offset?: number;
  limit?: number;
}

const LINES = /^(.+) lines? (\d{1,9})(?: to (\d{1,9}))?$/;

export function parseRead(text: string): ReadInput {
  const [, path, from, to] = LINES.exec(text) ?? [];
  if (path === undefined) return { path: text };
  const offset = Math.max(1, Number(from));
  // If the last line comes before the first, one line is read.
  const limit = to === undefined ? undefined : Math.max(1, Number(to) - offset + 1);
  return { path, offset, limit };
}

export function formatRead({ path, offset, limit }: ReadInput): string {
  if (offset === undefined && limit === undefined) return path;
  const from = offset ?? 1;
  return `${path} lines ${from}${limit === undefined ? "" : ` to ${from + limit - 1}`}`;
}

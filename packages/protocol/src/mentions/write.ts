import { parseMentions } from "./parse.ts";

/**
 * The mention of a path, quoted if necessary. Undefined if it cannot be quoted: the name has line
 * breaks, or both kinds of quotes.
 */
export function writeMention(path: string): string | undefined {
  return [`@${path}`, `@./${path}`, `@"${path}"`, `@'${path}'`, `@"./${path}"`].find((text) => {
    const [read, ...more] = parseMentions(`${text}, and`);
    return (
      more.length === 0 &&
      read?.text === text &&
      read.kind === "path" &&
      read.path === path &&
      read.lines === undefined
    );
  });
}

/** The mention of a server's resource; undefined if it could not be parsed. */
export function writeResource(server: string, uri: string): string | undefined {
  return [`@${server}:${uri}`, `@"${server}:${uri}"`].find((text) => {
    const [read, ...more] = parseMentions(`${text}, and`);
    return (
      more.length === 0 &&
      read?.text === text &&
      read.kind === "resource" &&
      read.server === server &&
      read.uri === uri
    );
  });
}

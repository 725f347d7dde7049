import { parseMentions } from "./parse.ts";

/**
 * A path as it is mentioned: in quotes where it would not be read back otherwise. Undefined where no quotes help: the
 * name has line breaks, or both kinds of quotes.
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

/** A server's resource as it is mentioned; undefined where it would not be read back. */
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

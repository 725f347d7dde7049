/** Commands that a client runs in its own copy of the files. */

/** Whether a client would find the end of an action within the text, and execute the rest (A83). */
export const endsEarly = (content: string): boolean => content.includes("</boltAction");

export const removing = (path: string): string => `rm -f -- '${path.replaceAll("'", "'\\''")}'`;

/**
 * A command that writes a file; none of its content can be parsed as a tag, or as part of the
 * command.
 */
export const writing = (path: string, content: string): string =>
  `node -e "${WRITE}" ${[path, content].map((text) => Buffer.from(text).toString("base64")).join(" ")}`;

const WRITE =
  "const [path, text] = process.argv.slice(1).map((word) => Buffer.from(word, 'base64')), name = path.toString(); require('fs').mkdirSync(require('path').dirname(name), { recursive: true }); require('fs').writeFileSync(name, text ?? '')";

/** Commands that a client runs in its own copy of the files. */

/** Whether its reader would see the end of an action within it, and obey what stands behind (A83). */
export const endsEarly = (content: string): boolean => content.includes("</boltAction");

export const removing = (path: string): string => `rm -f -- '${path.replaceAll("'", "'\\''")}'`;

/** Writes a file; nothing of it can be read as a tag, or as a part of the command. */
export const writing = (path: string, content: string): string =>
  `node -e "${WRITE}" ${[path, content].map((text) => Buffer.from(text).toString("base64")).join(" ")}`;

const WRITE =
  "const [path, text] = process.argv.slice(1).map((word) => Buffer.from(word, 'base64')), name = path.toString(); require('fs').mkdirSync(require('path').dirname(name), { recursive: true }); require('fs').writeFileSync(name, text ?? '')";

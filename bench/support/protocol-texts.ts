/** Texts as models write them, of approximately the requested length. */

const CODE = "  const value = compute(items, index + 1); // keep the order\n";
const JSX = '    <div className="row"><b>{item.name}</b>{count < 3 && "`few`"}</div>\n';
const PROSE = "Some words of prose, with `code` and a < b, as models write them.\n";
const DIFF = `------- SEARCH\n${CODE.repeat(5)}=======\n${JSX.repeat(5)}+++++++ REPLACE\n`;

/** The content of the files in a message, by the kind of message. */
const FILES: Record<string, (size: number) => string[]> = {
  "one big file": (size) => [repeat(CODE, size)],
  "one big JSX file": (size) => [repeat(JSX, size)],
  "20 files": (size) => Array.from({ length: 20 }, () => repeat(CODE + JSX, size / 20)),
  "many small files": (size) =>
    Array.from({ length: Math.ceil(size / 200) }, () => repeat(CODE, 150)),
  "SEARCH/REPLACE diffs": (size) =>
    Array.from({ length: Math.ceil(size / 3_000) }, () => repeat(DIFF, 2_800)),
};

export type Texts = Record<string, (size: number) => string>;

export const ARTIFACTS: Texts = messages(artifact);
export const TOOL_TAGS: Texts = messages(tools);
export const DIFFS: Texts = { diffs: (size) => repeat(DIFF, size) };
export const ARGUMENTS: Texts = {
  "one big string": (size) => JSON.stringify({ path: "a.ts", content: repeat(CODE, size) }),
};

/** The tools of `TOOL_TAGS`. */
export const TOOLS = { write_file: ["path", "content"] };

function messages(write: (files: readonly string[]) => string): Texts {
  const texts: Texts = { prose: (size) => repeat(PROSE, size) };
  for (const [name, files] of Object.entries(FILES)) texts[name] = (size) => write(files(size));
  return texts;
}

function artifact(files: readonly string[]): string {
  const actions = files.map(
    (content, at) =>
      `<boltAction type="file" filePath="src/f${at}.tsx">\n${content}</boltAction>\n`,
  );
  return `<boltArtifact id="a" title="An app">\n${actions.join("")}</boltArtifact>\n`;
}

function tools(files: readonly string[]): string {
  return files
    .map(
      (content, at) =>
        `<write_file>\n<path>src/f${at}.tsx</path>\n<content>\n${content}</content>\n</write_file>\n`,
    )
    .join("");
}

function repeat(line: string, size: number): string {
  return line.repeat(Math.max(1, Math.floor(size / line.length)));
}

/**
 * Forms of real models' answers, as small texts of our own, with their frequency in public
 * transcripts and the expected result. Used by the tests of the parsers, the dialects, runs and
 * `treadle parse`.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { artifact, file, inArtifact, PAGE, type RealAnswer, tags, write } from "./answer-texts.test-support.ts"; // prettier-ignore
import { ARTIFACT_SHAPES } from "./artifact-shapes.test-support.ts";
import { MARKED_SHAPES } from "./marked-shapes.test-support.ts";
import { MORE_SHAPES } from "./more-shapes.test-support.ts";
import { TAG_SHAPES } from "./tag-shapes.test-support.ts";
import { THOUGHT_OF } from "./thought-of.test-support.ts";

export const REAL_ANSWERS: readonly RealAnswer[] = [
  artifact(
    "an action that is not closed before its artifact ends, and a new artifact",
    "8 of 65",
    `<boltArtifact id="a" title="A">\n<boltAction type="file" filePath="index.html">\n${PAGE}</boltArtifact>\n\nNow the rest:\n\n<boltArtifact id="b" title="B">\n${file("go();\n", "main.js")}<boltAction type="shell">npm install</boltAction>\n</boltArtifact>\n`,
    { files: { "index.html": PAGE, "main.js": "go();\n" }, commands: ["npm install"] },
  ),
  artifact(
    "an action that is not closed before a new artifact begins",
    "with the above",
    `<boltArtifact id="a" title="A">\n<boltAction type="file" filePath="index.html">\n${PAGE}\n${inArtifact(file("go();\n", "main.js")).replace('id="a"', 'id="b"')}`,
    { files: { "index.html": PAGE, "main.js": "go();\n" } },
  ),
  artifact(
    "a command that is not closed before its artifact ends",
    "with the above",
    `<boltArtifact id="a" title="A">\n${file(PAGE)}<boltAction type="shell">npm install\n</boltArtifact>\n`,
    { commands: ["npm install"] },
  ),
  artifact(
    "words behind a closing tag on its line",
    "3 of 65",
    inArtifact(`${file(PAGE).trimEnd()} Then the script:\n${file("go();\n", "main.js")}`),
    { files: { "index.html": PAGE, "main.js": "go();\n" } },
  ),
  artifact(
    "a command in a tag of its own",
    "3 of 65, bolt.new's own among them",
    inArtifact(
      `${file(PAGE)}<boltAction type="start">\n<command>npm run dev</command>\n</boltAction>\n`,
    ),
    { commands: ["npm run dev"] },
  ),
  artifact(
    "commands and files in fences of their own",
    "20 of 65, with the one below",
    inArtifact(
      `${file(`\`\`\`html\n${PAGE}\`\`\`\n`)}<boltAction type="shell">\n\`\`\`bash\nnpm install\n\`\`\`\n</boltAction>\n`,
    ),
    { commands: ["npm install"] },
  ),
  artifact(
    "a file whose every character is escaped",
    "20 of 65, with the one above",
    inArtifact(
      file(PAGE.replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")),
    ),
  ),
  artifact(
    "a command whose every character is escaped",
    "2 of 65",
    inArtifact(
      `${file(PAGE)}<boltAction type="shell">npm install &amp;&amp; npm test</boltAction>\n`,
    ),
    { commands: ["npm install && npm test"] },
  ),
  artifact(
    "the whole answer in a fence",
    "4 of 65",
    `\`\`\`xml\n${inArtifact(file(PAGE))}\`\`\`\n`,
  ),
  artifact(
    "a file that is deleted",
    "2 of 65",
    inArtifact(`${file(PAGE)}<boltAction type="file" filePath="old.html" operation="delete" />\n`),
    { deleted: ["old.html"] },
  ),
  artifact(
    "bolt.diy's path of a migration",
    "every project of bolt.diy with a database",
    inArtifact(
      `${file(PAGE)}<boltAction type="supabase" operation="migration" filePath="/supabase/migrations/1.sql">\nselect 1;\n</boltAction>\n`,
    ),
    { files: { "index.html": PAGE, "supabase/migrations/1.sql": "select 1;\n" } },
  ),
  tags("a call in a fence", "141 of 2,550", `Okay.\n\n\`\`\`tool_use\n${write()}\`\`\`\n`),
  tags("a call in a fence that nothing closes", "with the above", `\`\`\`\n${write()}`),
  tags(
    "calls in a fence, one behind the other",
    "with the above",
    `\`\`\`xml\n${write()}\n<run_command>\n<command>npm install</command>\n</run_command>\n\`\`\`\n`,
    { commands: ["npm install"] },
  ),
  tags(
    "a call in a fence whose file has fences",
    "with the above",
    `\`\`\`tool_code\n<write_file>\n<path>README.md</path>\n<content>\n# A\n\n\`\`\`sh\nnpm start\n\`\`\`\n</content>\n</write_file>\n\`\`\`\n`,
    { files: { "README.md": "# A\n\n```sh\nnpm start\n```\n" } },
  ),
  tags(
    "an example in a fence",
    "38 of 2,550",
    `For example, a file is written so:\n\n\`\`\`xml\n${write()}\`\`\`\n`,
    { files: {} },
  ),
  tags(
    "an example in a fence with words",
    "with the above",
    `\`\`\`\n${write()}That writes it.\n\`\`\`\n`,
    { files: {} },
  ),
  tags(
    "a parameter that the tool does not know, behind the others",
    "44 of 187",
    write("write_file", "<task_progress>\n- [x] Write the page\n</task_progress>\n"),
  ),
  tags(
    "a parameter that the tool does not know, between the others",
    "6 of 187",
    write().replace("<content>", "<line_count>1</line_count>\n<content>"),
  ),
  tags(
    "words between parameters",
    "5 of 2,550",
    write().replace("<content>", "Here is the page:\n<content>"),
  ),
  tags(
    "the closing tag of another tool inside one",
    "2 of 2,550",
    write().replace("<content>", "</read_file>\n<content>"),
  ),
  tags(
    "tags around the parameters",
    "Roo's own since 2025",
    write()
      .replace("<path>", "<args>\n<file>\n<path>")
      .replace("</content>", "</content>\n</file>\n</args>"),
  ),
  artifact(
    "artifacts without an id, one for each action",
    "1 pull request of a builder that comes from bolt",
    `<boltArtifact>\n${file(PAGE)}</boltArtifact>\n<boltArtifact>\n${file("go();\n", "main.js")}</boltArtifact>\n`,
    { files: { "index.html": PAGE, "main.js": "go();\n" } },
  ),
  artifact(
    "a comment between actions, and attributes that nobody knows",
    "3 of 20 prompts and logs of builders that come from bolt",
    inArtifact(
      `<!-- the page -->\n${file(PAGE).replace("<boltAction ", '<boltAction contentType="text/html" isNew="true" ')}`,
    ),
  ),
  tags(
    "Cline's own names of tools",
    "every answer of a model that was taught them",
    `${write("write_to_file")}<execute_command>\n<command>npm install</command>\n<requires_approval>false</requires_approval>\n</execute_command>\n`,
    { commands: ["npm install"] },
  ),
  tags(
    "a call in the other spelling, indented, in tags of a provider's own",
    "3 of 11 threads about calls that were not read",
    `<minimax:tool_call>\n  <invoke name="write_file">\n    <parameter name="path">index.html</parameter>\n    <parameter name="content">\n${PAGE}</parameter>\n  </invoke>\n</minimax:tool_call>\n`,
  ),
  ...THOUGHT_OF,
  ...TAG_SHAPES,
  ...ARTIFACT_SHAPES,
  ...MORE_SHAPES,
  ...MARKED_SHAPES,
];

/** The expected results of the shared texts, by name. */
const SHARED: Record<
  string,
  {
    dialect: "artifact" | "tags";
    files: string[];
    commands: string[];
    cut?: string;
    deleted?: string;
  }
> = {
  "01-missing-action-end": {
    dialect: "artifact",
    files: ["index.html", "package.json", "main.js"],
    commands: ["npm install", "npm run dev"],
  },
  "02-start-command-tag": {
    dialect: "artifact",
    files: ["package.json", "index.html"],
    commands: ["npm install", "npm run dev"],
  },
  "03-fenced-shell": {
    dialect: "artifact",
    files: ["package.json", "index.html"],
    commands: ["npm install", "npm run dev"],
  },
  "03b-fenced-shell": {
    dialect: "artifact",
    files: ["package.json", "index.html"],
    commands: ["npm install", "npm run dev"],
  },
  "05-fenced-answer": { dialect: "artifact", files: ["index.html"], commands: [] },
  "06-tags-fenced": { dialect: "tags", files: ["index.html"], commands: [] },
  "07-tags-extra-param": { dialect: "tags", files: ["index.html"], commands: [] },
  "04-continues-with-new-artifact": {
    dialect: "artifact",
    files: ["package.json", "index.html", "main.js"],
    commands: ["npm install", "npm run dev"],
  },
  "08-delete": {
    dialect: "artifact",
    files: ["index.html"],
    commands: [],
    deleted: "src/components/LoginModal.tsx",
  },
  // The next five are about verdicts; here, only the parsers' results are expected.
  "10-slow-first-load": {
    dialect: "artifact",
    files: ["package.json", "server.js"],
    commands: ["npm run dev"],
  },
  "11-swallowed-then-verified": {
    dialect: "artifact",
    files: ["index.html"],
    commands: ["npm install", "npm run dev"],
  },
  "12-interrupted-then-verified": {
    dialect: "artifact",
    files: ["index.html"],
    commands: [],
    cut: "app.js",
  },
  "13-empty-answer": {
    dialect: "artifact",
    files: ["package.json", "server.js"],
    commands: ["npm run dev"],
  },
  "14-native-modules": {
    dialect: "artifact",
    files: ["package.json", "server.js"],
    commands: ["npm install", "npm run dev"],
  },
  "09-supabase-path": {
    dialect: "artifact",
    files: ["index.html", "supabase/migrations/01_create_initial_schema.sql"],
    commands: [],
  },
  "16-cline-line_count": { dialect: "tags", files: ["a.txt"], commands: [] },
  "17-cline-tool_use-fence": { dialect: "tags", files: ["a.txt"], commands: [] },
  "18-cline-whole-fence": { dialect: "tags", files: ["a.txt"], commands: [] },
};

export interface SharedAnswer {
  name: string;
  dialect: "artifact" | "tags";
  /** For an answer that was continued: its parts in order. */
  parts: string[];
  files: string[];
  commands: string[];
  /** A file that it began and did not finish. */
  cut?: string;
  deleted?: string;
}

/** Separator of the parts of one answer. */
const NEXT = "<<<NEXT>>>\n";

/** The shared texts; none if the folder is absent. */
export function sharedAnswers(): SharedAnswer[] {
  const folder = findFolder();
  if (folder === undefined) return [];
  return Object.entries(SHARED).map(([name, expected]) => ({
    name,
    parts: readFileSync(join(folder, `${name}.txt`), "utf8").split(NEXT),
    ...expected,
  }));
}

function findFolder(): string | undefined {
  let at = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const candidate = join(at, "..", "shared", "conformance", "real-answers");
    if (existsSync(candidate)) return candidate;
    const up = dirname(at);
    if (up === at) return undefined;
    at = up;
  }
}

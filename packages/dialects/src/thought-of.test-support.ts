/**
 * Forms that were not observed yet but are likely, each with one reasonable reading. The same tests
 * use them as the observed ones.
 */
import { artifact, file, inArtifact, PAGE, tags, write, type RealAnswer } from "./answer-texts.test-support.ts"; // prettier-ignore

const RUN = `<tool_call>\n{"name": "run_command", "arguments": {"command": "npm install"}}\n</tool_call>\n`;
const NOT_MET = "not met";
const SCRIPT = file("go();\n", "main.js");
const BOTH = { files: { "index.html": PAGE, "main.js": "go();\n" } };
const fenced = (text: string, info = "xml") => `\`\`\`${info}\n${text}\`\`\`\n`;
/** An artifact whose file has another opening tag. */
const opened = (tag: string) => inArtifact(`${tag}\n${PAGE}</boltAction>\n`);

export const THOUGHT_OF: readonly RealAnswer[] = [
  ...[
    '<boltAction type="file" path="index.html">',
    '<boltAction type="file" file_path="index.html">',
    '<boltAction type="file" filename="index.html">',
    '<boltAction filePath="index.html">',
    '<boltAction type="create" filePath="index.html">',
    '<boltAction type="create" path="index.html">',
    '<boltAction type="write_file" file_path="index.html">',
    '<boltAction type=\\"file\\" filePath=\\"index.html\\">',
    "<boltAction type=“file” filePath=“index.html”>",
    '<boltAction type="file" filePath="index.html>',
  ].map((tag) => artifact(`a file that opens with ${tag}`, NOT_MET, opened(tag))),
  artifact(
    "a title that nothing closes",
    NOT_MET,
    inArtifact(file(PAGE)).replace('title="A"', 'title="A page'),
  ),
  ...["bash", "command", "run", "terminal"].map((type) =>
    artifact(
      `a command of the type ${type}`,
      NOT_MET,
      inArtifact(`${file(PAGE)}<boltAction type="${type}">npm install</boltAction>\n`),
      { commands: ["npm install"] },
    ),
  ),
  artifact(
    "two artifacts, each in a fence",
    NOT_MET,
    `First the page:\n\n${fenced(inArtifact(file(PAGE)))}\nThen the script:\n\n${fenced(inArtifact(SCRIPT))}\nDone.\n`,
    BOTH,
  ),
  artifact(
    "an artifact in a fence behind a blank line, or a declaration of XML",
    NOT_MET,
    `${fenced(`\n${inArtifact(file(PAGE))}`)}\n${fenced(`<?xml version="1.0"?>\n${inArtifact(SCRIPT)}`)}`,
    BOTH,
  ),
  artifact(
    "an artifact that is shown as an example before the one that is meant",
    NOT_MET,
    `Files are written in tags, for example:\n\n${fenced(inArtifact(file("no\n", "bad.html")))}\nNow the page:\n\n${inArtifact(file(PAGE))}`,
  ),
  artifact(
    "a file and a command in CDATA",
    NOT_MET,
    inArtifact(
      `<boltAction type="file" filePath="index.html"><![CDATA[\n${PAGE}]]></boltAction>\n<boltAction type="shell"><![CDATA[npm install && npm test]]></boltAction>\n`,
    ),
    { commands: ["npm install && npm test"] },
  ),
  artifact("a file in a fence of tildes", NOT_MET, inArtifact(file(`~~~html\n${PAGE}~~~\n`))),
  artifact(
    "a file with the end of a fence that does not begin",
    NOT_MET,
    inArtifact(file(`${PAGE}\`\`\`\n`)),
  ),
  tags("a path under another name", NOT_MET, write().replaceAll("path>", "file_path>")),
  ...[
    ["arguments", ""],
    ["parameters", " "],
    ["input", "\n"],
  ].map(([args = "", space = ""]) =>
    tags(
      `calls as JSON in a tag, with ${args}`,
      NOT_MET,
      `Okay.\n\n<tool_call>${space}${JSON.stringify({ name: "write_file", [args]: { path: "index.html", content: PAGE.trimEnd() } })}</tool_call>\n  <tool_call>\n${JSON.stringify({ name: "run_command", [args]: JSON.stringify({ command: "npm install" }) }, null, 2)}\n</tool_call>\nDone.\n`,
      { commands: ["npm install"] },
    ),
  ),
  tags(
    "calls as JSON whose last tag is left out",
    NOT_MET,
    `<tool_call>\n${JSON.stringify({ name: "write_file", arguments: { path: "index.html", content: PAGE.trimEnd() } })}`,
  ),
  tags(
    "calls as Qwen's coder models write them",
    NOT_MET,
    `<tool_call>\n<function=write_file>\n<parameter=path>\nindex.html\n</parameter>\n<parameter=content>\n${PAGE}</parameter>\n</function>\n</tool_call>\n`,
  ),
  tags(
    "calls as JSON that stand in thinking, in a fence that shows them, and in a file",
    NOT_MET,
    `<think>\n${RUN}</think>\n\nFor example:\n\n\`\`\`\n${RUN}\`\`\`\n\n<write_file>\n<path>prompt.txt</path>\n<content>\nSo:\n${RUN}<function=run_command>\n</content>\n</write_file>\n\n\`\`\`json\n${RUN}\`\`\`\n`,
    { files: { "prompt.txt": `So:\n${RUN}<function=run_command>\n` }, commands: ["npm install"] },
  ),
  tags(
    "JSON in a tag that calls nothing, and one in a line",
    NOT_MET,
    `${write()}\n<tool_call>{"name": "none", "arguments": {}}</tool_call>\n<tool_call>{"name": "run_command"\nuse <tool_call>{"name": "run_command", "arguments": {"command": "no"}}</tool_call>\n`,
    { isTold: true },
  ),
  tags(
    "a file and a command in CDATA, in tool tags",
    NOT_MET,
    `${write().replace("<content>\n", "<content><![CDATA[\n").replace("</content>", "]]></content>")}<run_command>\n<command><![CDATA[npm install && npm test]]></command>\n</run_command>\n`,
    { commands: ["npm install && npm test"] },
  ),
];

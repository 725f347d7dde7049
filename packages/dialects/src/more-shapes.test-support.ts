/**
 * Tags nested in other tags, in examples or in reasoning, and tags in other spellings, as texts of
 * our own, each with one reasonable reading. Text inside a file, and examples, are never executed.
 */
import { artifact, file, inArtifact, PAGE, type RealAnswer, tags, write } from "./answer-texts.test-support.ts"; // prettier-ignore

const MET = "not met";
const shapes = (
  make: typeof artifact,
  all: readonly (readonly [shape: string, text: string, more?: Partial<RealAnswer>])[],
) => all.map(([shape, text, more]) => make(shape, MET, text, more));

const SHELL = '<boltAction type="shell">npm install</boltAction>\n';
const ALSO = { commands: ["npm install"] };
const SCRIPT = file("go();\n", "main.js");
const BOTH = { files: { "index.html": PAGE, "main.js": "go();\n" } };
const open = (text: string) => text.replace("</boltAction>\n", "");
const INNER = `<boltArtifact id="x" title="X">\n<boltAction type="shell">rm -rf src</boltAction>\n<boltAction type="file" filePath="no.ts">\nno\n</boltAction>\n</boltArtifact>\n`;
const INDENTED = INNER.replaceAll(/^(?=.)/gm, "    ");
const prompt = (inside: string) => `# Prompt\n\nAnswer so:\n\n${inside}\nThat is all.\n`;
const wrote = (content: string, path = "prompt.md") => ({
  files: { "index.html": PAGE, [path]: content },
});
const holding = (content: string, path = "prompt.md") =>
  inArtifact(file(content, path) + file(PAGE));
const LIST = `# Prompt\n\n- <boltAction type="shell">rm -rf src</boltAction>\n- <boltAction type="shell">rm -rf public</boltAction>\n\nThat is all.\n`;
const CODE = `export const prompt = \`\n${INNER}\`;\nrun(prompt);\n`;
const NAMES_TAGS =
  "- Use `<boltArtifact>` with an `id`\n- Use `<boltAction>` tags with a `type`:\n";
const IN_LINE = `5. Structure: <boltArtifact id="a" title="A"><boltAction>...</boltAction></boltArtifact>\n`;
const QUERIES = `1. <boltAction type="shell" a="b">\n2. Also: <boltAction type="shell">\n`;
const SENTENCE = `Write \`<boltAction type="shell">rm -rf src</boltAction>\`, or <boltAction type="shell">rm -rf public</boltAction>\n`;
const SHOWN = `<boltArtifact id="..." title="..."><boltAction type="file" filePath="...">...</boltAction></boltArtifact>`;

const ARTIFACTS = shapes(artifact, [
  ["a file without its end before the next file", inArtifact(open(file(PAGE)) + SCRIPT), BOTH],
  ["a file without its end before a command", inArtifact(open(file(PAGE)) + SHELL), ALSO],
  ["a command without its end before the next one", inArtifact(file(PAGE) + SHELL.replace("</boltAction>", "") + SHELL.replace("install", "test")), { commands: ["npm install", "npm test"] }],
  ["no action with an end", inArtifact(open(file(PAGE)) + open(SCRIPT) + SHELL.replace("</boltAction>", "")), { ...BOTH, ...ALSO }],
  ["a file without its end before an indented one", inArtifact(`${open(file(PAGE))}  ${SCRIPT}`), BOTH],
  ["a file without its end, outside of an artifact", open(file(PAGE)) + SCRIPT, BOTH],
  ["a file without its end before one that is deleted", inArtifact(`${open(file(PAGE))}<boltAction type="file" filePath="old.html" operation="delete" />\n`), { deleted: ["old.html"] }],
  ["a file that holds a whole artifact", holding(prompt(INNER)), wrote(prompt(INNER))],
  ["a file that holds a whole artifact, indented", holding(prompt(INDENTED)), wrote(prompt(INDENTED))],
  ["a file that holds two artifacts", holding(prompt(INNER + INNER)), wrote(prompt(INNER + INNER))],
  ["a file that holds an artifact in a fence", holding(prompt(`\`\`\`xml\n${INNER}\`\`\`\n`)), wrote(prompt(`\`\`\`xml\n${INNER}\`\`\`\n`))],
  ["a file that holds actions in a list", holding(LIST), wrote(LIST)],
  ...[NAMES_TAGS + INDENTED, INDENTED + NAMES_TAGS, NAMES_TAGS, IN_LINE, NAMES_TAGS + IN_LINE + INNER, INNER + IN_LINE, QUERIES + IN_LINE + INNER, SENTENCE, SENTENCE + INNER, INDENTED + NAMES_TAGS + IN_LINE + SENTENCE + INNER].map((text, index) => [`a file that speaks of the tags (${index + 1})`, holding(prompt(text)), wrote(prompt(text))] as const),
  ["a file of code that holds an artifact in a string of lines", holding(CODE, "prompt.ts"), wrote(CODE, "prompt.ts")],
  ["a file that holds actions without an artifact", holding(prompt(SHELL + SCRIPT)), wrote(prompt(SHELL + SCRIPT))],
  ["a file that holds an action that closes itself", holding(prompt('<boltAction type="start" />\n')), wrote(prompt('<boltAction type="start" />\n'))],
  ["an action that is begun twice", inArtifact(`<boltAction type="file" filePath="index.html">\n${file(PAGE)}`)],
  ["a command that is begun twice", inArtifact(`${file(PAGE)}<boltAction type="shell">\n${SHELL}`), ALSO],
  ["a command as an attribute of a tag that closes itself", inArtifact(`${file(PAGE)}<boltAction type="shell" command="npm install" />\n`), ALSO],
  ["a command as an attribute, with an end", inArtifact(`${file(PAGE)}<boltAction type="shell" command="npm install"></boltAction>\n`), ALSO],
  ["commands as attributes, without their ends", inArtifact(`${file(PAGE)}<boltAction type="shell" command="npm install">\n<boltAction type="start" command="npm run dev">\n`), { commands: ["npm install", "npm run dev"] }],
  ...["bolt-action", "bolt_action", "Bolt-Action"].map((name) => [`tags of the name ${name}`, inArtifact(file(PAGE) + SHELL).replaceAll("boltAction", name), ALSO] as const),
  ["an artifact of the name bolt-artifact", inArtifact(file(PAGE)).replaceAll("boltArtifact", "bolt-artifact")],
  ["a blank before a tag's name", inArtifact(file(PAGE) + SHELL).replaceAll("<boltAction", "< boltAction").replaceAll("</boltAction", "< /boltAction"), ALSO],
  ...["install", "npm", "zsh", "execute", "run_command", "run-command", "console"].map((type) => [`a command of the type ${type}`, inArtifact(file(PAGE) + SHELL.replace("shell", type)), ALSO] as const),
  ...["dev", "server", "serve"].map((type) => [`a server of the type ${type}`, inArtifact(`${file(PAGE)}<boltAction type="${type}">npm run dev</boltAction>\n`), { commands: ["npm run dev"] }] as const),
  ...["create_file", "write-file", "add file"].map((type) => [`a file of the type ${type}`, inArtifact(file(PAGE).replace('"file"', `"${type}"`))] as const),
  ...["thought", "thoughts", "thinking", "reasoning", "reflection", "scratchpad"].map((name) => [`an artifact in a tag of ${name}`, `<${name}>\n${INNER}</${name}>\n${inArtifact(file(PAGE))}`] as const),
  ["an artifact in a comment", `<!--\n${INNER}-->\n${inArtifact(file(PAGE))}`],
  ["an action in a comment", inArtifact(`<!-- ${SHELL}-->\n${file(PAGE)}`)],
  ["an action in thoughts in an artifact", inArtifact(`<thought>\n${SHELL}</thought>\n${file(PAGE)}`)],
  ["a fence that stands open before a lone end of thinking", `I would write:\n\`\`\`html\n<b>\n</think>\n\n${inArtifact(file(PAGE))}`],
  ["a fence with thinking of its own", `\`\`\`xml\n<think>\n${INNER}</think>\n${INNER}\`\`\`\n\n${inArtifact(file(PAGE))}`],
  ["an artifact of dots in a sentence", `Files stand in ${SHOWN} as said.\n\n${inArtifact(file(PAGE))}`],
  ["an opening tag of dots in a sentence", `I use <boltArtifact ...> and <boltAction type="..."> for it.\n\n${inArtifact(file(PAGE))}`],
  ["an artifact of dots with a command", `It looks as <boltArtifact id="…" title="…"><boltAction type="shell">rm -rf src</boltAction></boltArtifact>.\n\n${inArtifact(file(PAGE))}`],
]); // prettier-ignore

const BODY = PAGE.trimEnd();
const NONE = { files: {} };
const RUN = "<run_command>\n<command>rm -rf src</command>\n</run_command>\n";
const call = (path: string, content: string) =>
  `<write_file><path>${path}</path><content>${content}</content></write_file>`;

const CALLS = shapes(tags, [
  ["a call of dots in a sentence", `A file is written as ${call("...", "...")} is.\n`, NONE],
  ["a call of dots in a sentence, and one that is meant", `Files: ${call("…", "…")}.\n\n${write()}`],
  ["a call of dots on lines of its own", `Use this:\n\n<write_file>\n<path>...</path>\n<content>\n...\n</content>\n</write_file>\n\n${write()}`],
  ["a call of a path and dots", `As ${call("index.html", "...")} it is written.\n`, NONE],
  ["a command of dots", "Commands: <run_command><command>...</command></run_command>.\n", NONE],
  ["an invoke of dots", '<invoke name="run_command"><parameter name="command">...</parameter></invoke>\n', NONE],
  ["dots in a file", call("index.html", `${BODY.replace("Hello", "Hello ...")}`), { files: { "index.html": PAGE.replace("Hello", "Hello ...") } }],
  ["a file that begins with dots", call("a.ts", "...rest"), { files: { "a.ts": "...rest\n" } }],
  ["a call that is begun twice", `<write_file>\n<path>index.html</path>\n${write()}`],
  ["a command that is begun twice", `${write()}<run_command>\n<run_command>\n<command>npm install</command>\n</run_command>\n`, { commands: ["npm install"] }],
  ["a call in a long comment", `<!--\n${RUN}${"x".repeat(6_000)}\n-->\n${write()}`],
  ["a fence that stands open before a lone end of thinking", `I would write:\n\`\`\`html\n<b>\n</think>\n\n${write()}`],
  ["a call in thoughts that are closed in their line", `<thought>I would use ${RUN.replaceAll("\n", "")}</thought>\n${write()}`],
  ["a call in a tag of scratchpad", `<scratchpad>\n${RUN}</scratchpad>\n${write()}`],
  ["a file that ends in a blank line", "<write_file>\n<path>a.txt</path>\n<content>\na\n\n</content>\n</write_file>\n", { files: { "a.txt": "a\n\n" } }],
]); // prettier-ignore

export const MORE_SHAPES: readonly RealAnswer[] = [...ARTIFACTS, ...CALLS];

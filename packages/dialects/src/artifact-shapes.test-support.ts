/** More forms of artifacts, as texts of our own, each with one reasonable reading. */
import { artifact, file, inArtifact, PAGE, type RealAnswer } from "./answer-texts.test-support.ts";

/**
 * None of these was observed: they follow from what the formats, and the templates of models,
 * allow.
 */
const MET = "not met";
const SHELL = '<boltAction type="shell">npm install</boltAction>\n';
const ALSO = { commands: ["npm install"] };
const SCRIPT = file("go();\n", "main.js");
const BOTH = { files: { "index.html": PAGE, "main.js": "go();\n" } };
const shapes = (all: readonly (readonly [shape: string, text: string, more?: Partial<RealAnswer>])[]) =>
  all.map(([shape, text, more]) => artifact(shape, MET, text, more)); // prettier-ignore

export const ARTIFACT_SHAPES: readonly RealAnswer[] = shapes([
  ["actions without an artifact", file(PAGE) + SHELL, ALSO],
  ["an artifact without its end", inArtifact(file(PAGE) + SHELL).replace("</boltArtifact>", ""), ALSO],
  ["an artifact's end twice", `${inArtifact(file(PAGE))}</boltArtifact>\n`],
  ["tags in lower case", inArtifact(file(PAGE) + SHELL).toLowerCase().replace("<title>t<", "<title>T<").replace("<h1>h", "<h1>H"), ALSO],
  ["white space in closing tags", inArtifact(file(PAGE).replace("</boltAction>", "</boltAction >"))],
  ["attributes on lines of their own", inArtifact(file(PAGE).replace(' type="file" filePath=', '\n  type="file"\n  filePath='))],
  ["white space around equal signs", inArtifact(file(PAGE).replace('type="file" filePath="', 'type = "file" filePath = "'))],
  ["attributes without quotes", inArtifact(file(PAGE).replace('type="file" filePath="index.html"', "type=file filePath=index.html"))],
  ["attributes in single quotes", inArtifact(file(PAGE).replaceAll('type="file" filePath="index.html"', "type='file' filePath='index.html'"))],
  ["attributes with commas", inArtifact(file(PAGE).replace('type="file" filePath', 'type="file", filePath'))],
  ["a path in backticks", inArtifact(file(PAGE).replace('"index.html"', '"`index.html`"'))],
  ["a path with a slash in front", inArtifact(file(PAGE).replace('"index.html"', '"/home/project/index.html"'))],
  ["a path with a dot in front", inArtifact(file(PAGE).replace('"index.html"', '"./index.html"'))],
  ["a type in capitals", inArtifact(file(PAGE).replace('"file"', '"File"') + SHELL.replace("shell", "SHELL")), ALSO],
  ["filepath in other letters", inArtifact(file(PAGE).replace("filePath", "FilePath"))],
  ["a file as content in CDATA behind white space", inArtifact(`<boltAction type="file" filePath="index.html">\n  <![CDATA[\n${PAGE}]]>\n</boltAction>\n`)],
  ["a command with a comment", inArtifact(`${file(PAGE)}<boltAction type="shell">\n# install\nnpm install\n</boltAction>\n`), { commands: ["# install\nnpm install"] }],
  ["a command in quotes of a shell's prompt", inArtifact(`${file(PAGE)}<boltAction type="shell">$ npm install</boltAction>\n`), ALSO],
  ["a command in a tag of code", inArtifact(`${file(PAGE)}<boltAction type="shell"><code>npm install</code></boltAction>\n`), ALSO],
  ["a command in a tag of bash", inArtifact(`${file(PAGE)}<boltAction type="shell">\n<bash>npm install</bash>\n</boltAction>\n`), ALSO],
  ["a content tag around a file", inArtifact(`<boltAction type="file" filePath="index.html">\n<content>\n${PAGE}</content>\n</boltAction>\n`)],
  ["thinking in front", `<think>\nI write <boltArtifact id="x" title="X">.\n</think>\n${inArtifact(file(PAGE))}`],
  ["words before a lone end of thinking", `I write it.\n</think>\n\n${inArtifact(file(PAGE))}`],
  ["a byte-order mark in front", `\ufeff${inArtifact(file(PAGE))}`],
  ["CRLF", inArtifact(file("a\n", "a.txt") + SHELL).replaceAll("\n", "\r\n"), { files: { "a.txt": "a\r\n" }, ...ALSO }],
  ["Chinese around", `好的，下面是页面：${inArtifact(file(PAGE))}完成。`],
  ["an artifact in a fence of tildes", `~~~xml\n${inArtifact(file(PAGE))}~~~\n`],
  ["an artifact in a fence of four", `\`\`\`\`xml\n${inArtifact(file(PAGE))}\`\`\`\`\n`],
  ["an artifact in a fence whose files have fences", `\`\`\`xml\n${inArtifact(file("```js\nx\n```\n", "a.md"))}\`\`\`\n`, { files: { "a.md": "```js\nx\n```\n" } }],
  ["an artifact in a fence behind words of an example page", `Here is the example page:\n\n\`\`\`xml\n${inArtifact(file(PAGE))}\`\`\`\n`],
  ["an example in Chinese", `例如：\n\n\`\`\`xml\n${inArtifact(file("no\n", "no.html"))}\`\`\`\n\n${inArtifact(file(PAGE))}`],
  ["an artifact in inline code", `It is \`<boltArtifact id="a">\` first.\n${inArtifact(file(PAGE))}`],
  ["a file with a closing tag in a string", inArtifact(file("const x = '</boltAction>';\nok(x);\n", "a.ts")), { files: { "a.ts": "const x = '</boltAction>';\nok(x);\n" } }],
  ["a file with an action in a string", inArtifact(file("const x = '<boltAction type=\"file\" filePath=\"b\">c</boltAction>';\nok(x);\n", "a.ts")), { files: { "a.ts": "const x = '<boltAction type=\"file\" filePath=\"b\">c</boltAction>';\nok(x);\n" } }],
  ["the same file twice: the last counts", inArtifact(file("old\n") + file(PAGE))],
  ["words between actions", inArtifact(`First the page.\n${file(PAGE)}Then install:\n${SHELL}That is all.\n`), ALSO],
  ["two artifacts with one id", inArtifact(file(PAGE)) + inArtifact(SCRIPT), BOTH],
  ["an artifact in an artifact", inArtifact(inArtifact(file(PAGE)))],
  ["an action's end in place of the artifact's", inArtifact(file(PAGE)).replace("</boltArtifact>", "</boltAction>")],
  ["a file that ends in a fence of its own", inArtifact(file("# A\n\n```sh\nx\n```\n", "a.md")), { files: { "a.md": "# A\n\n```sh\nx\n```\n" } }],
  ["an operation on a command", inArtifact(`${file(PAGE)}<boltAction type="shell" operation="run">npm install</boltAction>\n`), ALSO],
  ["a type of delete with a path", inArtifact(`${file(PAGE)}<boltAction type="delete" filePath="old.html" />\n`), { deleted: ["old.html"] }],
  ["a file that is deleted in a pair of tags", inArtifact(`${file(PAGE)}<boltAction type="file" operation="delete" filePath="old.html"></boltAction>\n`), { deleted: ["old.html"] }],
]); // prettier-ignore

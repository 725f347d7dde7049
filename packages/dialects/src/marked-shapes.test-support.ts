/**
 * Reasoning and calls in the markup of models' own chat templates, and tags that are only
 * mentioned, as texts of our own. Reasoning and mentions are never executed; certain calls are.
 */
import { artifact, file, inArtifact, PAGE, type RealAnswer, tags, write } from "./answer-texts.test-support.ts"; // prettier-ignore

const MET = "not met";
const shapes = (
  make: typeof artifact,
  all: readonly (readonly [shape: string, text: string, more?: Partial<RealAnswer>])[],
) => all.map(([shape, text, more]) => make(shape, MET, text, more));

const NO_ACTION = inArtifact('<boltAction type="shell">rm -rf src</boltAction>\n');
const NO_CALL = "<run_command>\n<command>rm -rf src</command>\n</run_command>\n";
const NONE = { files: {} };
/** Nothing is executed, and that is reported, since it may have been intended. */
const TOLD = { files: {}, isTold: true };
const ONLY = { files: {}, commands: ["npm install"] };
const JSON_CALL = '{"name": "run_command", "arguments": {"command": "npm install"}}';
const ARGUMENTS = '{"command": "npm install"}';

/** Markup around reasoning. */
export const AROUND: readonly (readonly [open: string, close: string])[] = [
  ["<THINK>", "</THINK>"],
  ["<Thinking>", "</thinking>"],
  ['<think type="plan">', "</think>"],
  ["<antThinking>", "</antThinking>"],
  ["<seed:think>", "</seed:think>"],
  ["<analysis>", "</analysis>"],
  ["<inner_monologue>", "</inner_monologue>"],
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["<|inner_prefix|>", "<|inner_suffix|>"],
  ["<|channel>thought", "<channel|>"],
  ["<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"],
];
const thoughts = (make: typeof artifact, no: string, page: string) => [
  ...AROUND.map(([open, close]) =>
    make(`what is thought between ${open} and ${close}`, MET, `${open}\n${no}${close}\n${page}`),
  ),
  ...AROUND.map(([open]) =>
    make(`what is thought behind ${open}, which nothing closes`, MET, `${open}\n${no}`, TOLD),
  ),
  make("a thought that speaks of its own end", MET, `[THINK]\n</think>\n${no}[/THINK]\n${page}`),
  make("a mark of thoughts in inline code", MET, `It begins with \`[THINK]\`.\n${page}`),
  make(
    "a mark of thoughts in a sentence",
    MET,
    `A model writes [THINK] or ◁think▷ there.\n${page}`,
  ),
];

const ARTIFACTS = [
  ...thoughts(artifact, NO_ACTION, inArtifact(file(PAGE))),
  ...shapes(artifact, [
    ["a file with marks of thoughts", inArtifact(file("[THINK]\n<THINK>\n◁think▷\n<|channel|>analysis<|message|>\n", "a.txt")), { files: { "a.txt": "[THINK]\n<THINK>\n◁think▷\n<|channel|>analysis<|message|>\n" } }],
    ["an answer on a channel of its own", `<|channel|>final<|message|>${inArtifact(file(PAGE))}<|return|>`],
    ["an action in a sentence", `I will write <boltAction type="shell">rm -rf src</boltAction> later.\n\n${inArtifact(file(PAGE))}`],
    ["an opening tag in a sentence", `I will use <boltAction type="shell"> for it.\n\n${inArtifact(file(PAGE))}`],
    ["an artifact in a quotation", `${NO_ACTION.replaceAll(/^(?=.)/gm, "> ")}\n${inArtifact(file(PAGE))}`],
    ["a file in a quotation", `> ${file("no\n", "no.ts").trimEnd().replaceAll("\n", "\n> ")}\n\n${inArtifact(file(PAGE))}`],
    ["a template's marks around an answer", `<|im_start|>assistant\n${inArtifact(file(PAGE)).trimEnd()}<|im_end|>\n<|endoftext|>`],
    ["a template's mark behind the last action, without the artifact's end", `<boltArtifact id="a" title="A">\n${file(PAGE).trimEnd()}<end_of_turn>`],
    ["a template's marks in a file", inArtifact(file("<|im_start|>assistant\n<|im_end|>\n<|eot_id|>\n", "a.txt")), { files: { "a.txt": "<|im_start|>assistant\n<|im_end|>\n<|eot_id|>\n" } }],
    ["an action in a tag of scratch_pad", `<scratch_pad>\n${NO_ACTION}</scratch_pad>\n${inArtifact(file(PAGE))}`],
    ["actions in a list", `<boltArtifact id="a" title="A">\n- ${file(PAGE)}- <boltAction type="shell">npm install</boltAction>\n</boltArtifact>\n`, { commands: ["npm install"] }],
    ["a thought behind a file without its end", inArtifact(`${file("go();\n", "main.js").replace("</boltAction>\n", "")}`) + `<antThinking>\n${NO_ACTION}</antThinking>\n${inArtifact(file(PAGE))}`, { files: { "main.js": "go();\n", "index.html": PAGE } }],
    ["a thought behind words on the line of a file's end", inArtifact(`${file("go();\n", "main.js").trimEnd()} That is it.\n`) + `[THINK]\n${NO_ACTION}[/THINK]\n${inArtifact(file(PAGE))}`, { files: { "main.js": "go();\n", "index.html": PAGE } }],
    ["a thought on a channel behind two files without their ends", `<boltArtifact id="a" title="A">\n<boltAction type="file" filePath="main.js">\ngo();\n${file("b\n", "b.txt").replace("</boltAction>\n", "")}</boltArtifact>\n<|channel|>analysis<|message|>\n${NO_ACTION}<|end|><|start|>assistant<|channel|>final<|message|>\n${inArtifact(file(PAGE))}`, { files: { "main.js": "go();\n", "b.txt": "b\n", "index.html": PAGE } }],
    ["attributes in single curly quotes", inArtifact(file(PAGE).replace('type="file" filePath="index.html"', "type=‘file’ filePath=‘index.html’"))],
    ["a file's content as an attribute", inArtifact(`${file(PAGE)}<boltAction type="file" filePath="a.txt" content="hello" />\n`), { files: { "index.html": PAGE, "a.txt": "hello\n" } }],
    ["a path in bold letters", inArtifact(file(PAGE, "**index.html**"))],
    ["a file that another tag closes", inArtifact(file(PAGE).replace("</boltAction>", "</boltFile>") + file("go();\n", "main.js")), { files: { "index.html": PAGE, "main.js": "go();\n" } }],
    ["a file that a tag of the name file closes", inArtifact(file("go();\n", "main.js").replace("</boltAction>", "</file>") + file(PAGE)), { files: { "main.js": "go();\n", "index.html": PAGE } }],
  ]), // prettier-ignore
];

const wrapped = (open: string, close: string, inside = JSON_CALL) =>
  `${open}\n${inside}\n${close}\n`;
const CALLS = [
  ...thoughts(tags, NO_CALL, write()),
  ...shapes(tags, [
    ["a path in bold letters", write().replace("index.html", "**index.html**")],
    ["JSON without its last bracket", wrapped("<tool_call>", "</tool_call>", JSON_CALL.slice(0, -1)), ONLY],
    ["JSON with a bracket too many", wrapped("<tool_call>", "</tool_call>", `${JSON_CALL}}`), ONLY],
    ["JSON with a comma too many", wrapped("<tool_call>", "</tool_call>", JSON_CALL.replace("}}", ",}}")), ONLY],
    ["JSON in Python's quotes", wrapped("<tool_call>", "</tool_call>", JSON_CALL.replaceAll('"', "'")), ONLY],
    ["JSON with an escape that there is none of", wrapped("<tool_call>", "</tool_call>", JSON_CALL.replace("npm install", String.raw`grep \d a`)), { files: {}, commands: [String.raw`grep \d a`] }],
    ["JSON with a string of three quotes", wrapped("<tool_call>", "</tool_call>", `{"name": "write_file", "arguments": {"path": "index.html", "content": """${PAGE}"""}}`)],
    ["JSON whose string is cut", `<tool_call>\n{"name": "run_command", "arguments": {"command": "npm ins`, TOLD],
    ["a tag of a call that the same tag closes", wrapped("<tool_call>", "<tool_call>"), ONLY],
    ["a tag of a call that the same tag closes, and more behind it", `${wrapped("<tool_call>", "<tool_call>")}Now the page:\n${write()}${wrapped("<tool_call>", "<tool_call>", JSON_CALL.replace("install", "test"))}`, { commands: ["npm install", "npm test"] }],
    ["a template's marks around calls", `<|im_start|>assistant\n${write().trimEnd()}<|im_end|>`],
    ["a template's mark between a value and its call's end", write().replace("</content>\n", "</content><|eot_id|>")],
    ["a call in a tag of scratch_pad", `<scratch_pad>\n${NO_CALL}</scratch_pad>\n${write()}`],
    ["JSON with comments", wrapped("<tool_call>", "</tool_call>", `{"name": "run_command", /* now */ "arguments": {"command": "npm install"}} // done`), ONLY],
    ["JSON with // in its strings", wrapped("<tool_call>", "</tool_call>", `{'name': 'run_command', 'arguments': {'command': 'curl http://localhost:3000 /* x */'}}`), { files: {}, commands: ["curl http://localhost:3000 /* x */"] }],
    ["JSON in curly quotes", wrapped("<tool_call>", "</tool_call>", "{“name”: “run_command”, “arguments”: {“command”: “npm install”}}"), ONLY],
    ["JSON with the marks of Chinese between its strings", wrapped("<tool_call>", "</tool_call>", `{"name"："run_command"，"arguments"：{"command"："npm install"}}`), ONLY],
    ["JSON with the name of functions before the tool's", wrapped("<tool_call>", "</tool_call>", JSON_CALL.replace("run_command", "functions.run_command")), ONLY],
    ["an action and its input as JSON in a fence", `\`\`\`json\n{"action": "run_command", "action_input": ${ARGUMENTS}}\n\`\`\`\n`, ONLY],
    ["an action and its input as JSON alone", `{"action": "run_command", "action_input": ${ARGUMENTS}}\n`, ONLY],
    ["JSON of an action that calls nothing", `{"action": "run_command", "when": "later"}\n`, NONE],
    ["a thought behind a call that is none", `<tool_call>\n{"name": "nothing"}\n<tool_call>\nSo.\n\n<analysis>\n${NO_CALL}</analysis>\n${write()}`],
    ["a tag of a call that nothing closes before the next", `<tool_call>\n${JSON_CALL}\n${wrapped("<tool_call>", "</tool_call>", JSON_CALL.replace("install", "test"))}`, { files: {}, commands: ["npm install", "npm test"] }],
    ["a tag around the tags of calls", `<tool_calls>\n${wrapped("<tool_call>", "</tool_call>")}</tool_calls>\n`, ONLY],
    ...["tools", "tool_calls", "tool", "TOOLCALL"].map((name) => [`JSON in a tag of ${name}`, wrapped(`<${name}>`, `</${name}>`, `[${JSON_CALL}]`), ONLY] as const),
    ["JSON in brackets of tool_call", wrapped("[tool_call]", "[/tool_call]"), ONLY],
    ["JSON in brackets of TOOL_REQUEST", wrapped("[TOOL_REQUEST]", "[END_TOOL_REQUEST]"), ONLY],
    ["Qwen's function without the tag around it", `<function=run_command>\n<parameter=command>\nnpm install\n</parameter>\n</function>\n</tool_call>\n`, ONLY],
    ["DeepSeek's marks behind words", `Let me install.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>run_command\n\`\`\`json\n${ARGUMENTS}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`, ONLY],
    ["Mistral's mark behind words", `I install. [TOOL_CALLS] [${JSON_CALL}]`, ONLY],
    ["Mistral's mark with an id", `[TOOL_CALLS]run_command[CALL_ID]abc123[ARGS]${ARGUMENTS}`, ONLY],
    ["Mistral's mark without that of arguments", `[TOOL_CALLS]run_command${ARGUMENTS}`, ONLY],
    ["a mark of calls in inline code", `It is written \`[TOOL_CALLS][${JSON_CALL}]\`.\n`, NONE],
    ["gpt-oss's own spelling", `<|channel|>analysis<|message|>I install.<|end|><|start|>assistant<|channel|>commentary to=functions.run_command <|constrain|>json<|message|>${ARGUMENTS}<|call|>`, ONLY],
    ["gpt-oss's own spelling, whom it is to first", `<|start|>assistant to=functions.run_command<|channel|>commentary json<|message|>${ARGUMENTS}<|call|>`, ONLY],
    ["gpt-oss's own spelling without its marks", `assistantcommentary to=functions.run_command json${ARGUMENTS}`, ONLY],
    ["a function of Python in LFM's marks", `<|tool_call_start|>[run_command(command="npm install")]<|tool_call_end|>`, ONLY],
    ["a function of Python in a list", `[run_command(command="npm install")]`, ONLY],
    ["a list of Python that calls nothing", `[run(command="npm install")]\n[1, 2]\n`, NONE],
    ["a function of Python in a fence of tool_code", '```tool_code\nprint(default_api.write_file(path="index.html", content="""' + PAGE + '"""))\n```\n'],
    ["JSON in InternLM's marks", `<|action_start|><|plugin|>${JSON_CALL.replace("arguments", "parameters")}<|action_end|>`, ONLY],
    ["JSON in Command R's marks", `<|START_ACTION|>[{"tool_name": "run_command", "parameters": ${ARGUMENTS}}]<|END_ACTION|>`, ONLY],
    ["JSON alone", `${JSON_CALL}\n`, ONLY],
    ["JSON alone, over several lines", `I install.\n\n${JSON.stringify(JSON.parse(JSON_CALL), null, 2)}\n`, ONLY],
    ["JSON alone, twice", `${JSON_CALL}\n${JSON_CALL.replace("install", "test")}\n`, { files: {}, commands: ["npm install", "npm test"] }],
    ["JSON alone that holds brackets in a string", `{"name": "write_file", "arguments": {"path": "a.js", "content": "f({ a: [1] });\\n}"}}\n`, { files: { "a.js": "f({ a: [1] });\n}\n" } }],
    ["JSON alone that is an example", `For example:\n${JSON_CALL}\n`, NONE],
    ["JSON that calls nothing", `{"name": "run_command", "version": "1.0.0"}\n{ "type": "module" }\n`, NONE],
    ["JSON of a call in a fence", `\`\`\`json\n${JSON_CALL}\n\`\`\`\n`, ONLY],
    ["JSON of a call in a fence that is an example", `For example:\n\n\`\`\`json\n${JSON_CALL}\n\`\`\`\n`, NONE],
    ["JSON in a fence that calls nothing", '```json\n{"name": "run_command", "version": "1.0.0"}\n```\n', NONE],
    ["JSON in a file", write().replace(PAGE, `${JSON_CALL}\n`).replace("index.html", "a.json"), { files: { "a.json": `${JSON_CALL}\n` } }],
    ["the invoke of before, with the name in a tag", `<function_calls>\n<invoke>\n<tool_name>run_command</tool_name>\n<parameters>\n<command>npm install</command>\n</parameters>\n</invoke>\n</function_calls>\n`, ONLY],
    ["calls with the results that the model made up", `<function_calls>\n<invoke name="run_command">\n<parameter name="command">npm install</parameter>\n</invoke>\n</function_calls>\n<function_results>\nadded 3 packages\n</function_results>\n`, ONLY],
    ["a call in a sentence that goes on", `I will write <run_command><command>rm -rf src</command></run_command> later.\n\n${write()}`],
    ["a call behind words, at the end of its line", `Install: <run_command><command>npm install</command></run_command>\n`, ONLY],
  ]), // prettier-ignore
];

export const MARKED_SHAPES: readonly RealAnswer[] = [...ARTIFACTS, ...CALLS];

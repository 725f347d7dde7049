/** More forms of calls in tags, as texts of our own, each with one reasonable reading. */
import { PAGE, type RealAnswer, tags } from "./answer-texts.test-support.ts";

/**
 * None of these was observed: they follow from what the formats, and the templates of models,
 * allow.
 */
const MET = "not met";
const NONE = { files: {} };
const INSTALL = "<run_command>\n<command>npm install</command>\n</run_command>\n";
const ALSO = { commands: ["npm install"] };
const ONLY = { files: {}, commands: ["npm install"] };
const BODY = PAGE.trimEnd();
const call = (content: string, path = "index.html") =>
  `<write_file>\n<path>${path}</path>\n<content>\n${content}</content>\n</write_file>\n`;
const fence = (text: string, info = "xml", mark = "```") => `${mark}${info}\n${text}${mark}\n`;
const wrote = (content: string, path = "index.html") => ({ files: { [path]: content } });
/** The same text with its tags in other spellings. */
const shapes = (all: readonly (readonly [shape: string, text: string, more?: Partial<RealAnswer>])[]) =>
  all.map(([shape, text, more]) => tags(shape, MET, text, more)); // prettier-ignore

const DOC = `# Tools\n\nA file is written so:\n\n<write_file>\n<path>a.txt</path>\n<content>\nhello\n</content>\n</write_file>\n\nThat is all.\n`;

export const TAG_SHAPES: readonly RealAnswer[] = [
  // Other spellings of the tags themselves.
  ...shapes([
    ["a path as an attribute", `<write_file path="index.html">\n<content>\n${PAGE}</content>\n</write_file>\n`],
    ["a path as an attribute, and the content without tags", `<write_file path="index.html">\n${PAGE}</write_file>\n`],
    ["a path as an attribute in single quotes, under another name", `<write_file file_path='index.html'>\n<content>\n${PAGE}</content>\n</write_file>\n`],
    ["a command as an attribute of a tag that closes itself", `${call(PAGE)}<run_command command="npm install" />\n`, ALSO],
    ["a command as an attribute, with an end", `${call(PAGE)}<run_command command="npm install"></run_command>\n`, ALSO],
    ["an attribute with entities", `${call(PAGE)}<run_command command="npm install &amp;&amp; npm test"/>\n`, { commands: ["npm install && npm test"] }],
    ["an attribute that no tool knows", `<write_file id="1">\n<path>index.html</path>\n<content>\n${PAGE}</content>\n</write_file>\n`],
    ["an attribute of a parameter", `<write_file>\n<path>index.html</path>\n<content type="html">\n${PAGE}</content>\n</write_file>\n`],
    ["a parameter that says its type", `<write_file>\n<path type="string">index.html</path>\n<content>\n${PAGE}</content>\n</write_file>\n`],
    ["white space in opening tags", `<write_file >\n<path >index.html</path>\n<content\n>\n${PAGE}</content>\n</write_file>\n`],
    ["white space in closing tags", `<write_file>\n<path>index.html</path >\n<content>\n${PAGE}</content >\n</write_file >\n`],
    ["white space behind the slash", `<write_file>\n<path>index.html</ path>\n<content>\n${PAGE}</ content>\n</ write_file>\n`],
    ["an end without its parameter's", `<write_file>\n<path>index.html</path>\n<content>\n${PAGE}</write_file>\n`],
    ["an end without its last parameter's, and another call", `<write_file>\n<path>index.html</path>\n<content>\n${PAGE}</write_file>\n\n${INSTALL}`, ALSO],
    ["a command that its tool's end closes", `${call(PAGE)}<run_command>\n<command>npm install</run_command>\n`, ALSO],
    ["parameters in the other order", `<write_file>\n<content>\n${PAGE}</content>\n<path>index.html</path>\n</write_file>\n`],
    ["parameters on one line", `<write_file><path>index.html</path><content>${BODY}</content></write_file>`],
    ["parameters as of an invoke, in a tool's own tag", `<write_file>\n<parameter name="path">index.html</parameter>\n<parameter name="content">\n${PAGE}</parameter>\n</write_file>\n`],
    ["parameters in tags of their own, in an invoke", `<invoke name="write_file">\n<path>index.html</path>\n<content>\n${PAGE}</content>\n</invoke>\n`],
    ["an invoke with another word for parameter", `<invoke name="write_file">\n<param name="path">index.html</param>\n<param name="content">\n${PAGE}</param>\n</invoke>\n`],
    ["an invoke with more attributes", `<function_calls>\n<invoke id="1" name="write_file">\n<parameter name="path" string="true">index.html</parameter>\n<parameter name="content" string="true">\n${PAGE}</parameter>\n</invoke>\n</function_calls>\n`],
    ["an invoke in tags with a prefix", `<x:function_calls>\n<x:invoke name="write_file">\n<x:parameter name="path">index.html</x:parameter>\n<x:parameter name="content">\n${PAGE}</x:parameter>\n</x:invoke>\n</x:function_calls>\n`],
    ["an invoke in DeepSeek's marks", `<｜DSML｜function_calls>\n<｜DSML｜invoke name="write_file">\n<｜DSML｜parameter name="path" string="true">index.html</｜DSML｜parameter>\n<｜DSML｜parameter name="content" string="true">\n${PAGE}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>\n`],
    ["calls in a tag around all of them", `<tools>\n${call(PAGE)}${INSTALL}</tools>\n`, ALSO],
    ["calls in a tag of tool_use around each", `<tool_use>\n${call(PAGE)}</tool_use>\n<tool_use>\n${INSTALL}</tool_use>\n`, ALSO],
    ["parameters in a tag of parameters", call(PAGE).replace("<path>", "<parameters>\n<path>").replace("</write_file>", "</parameters>\n</write_file>")],
    ["a name of a tool in capitals", call(PAGE).replaceAll("write_file", "WRITE_FILE")],
    ["names of parameters in capitals", call(PAGE).replaceAll("path>", "Path>").replaceAll("content>", "Content>")],
    ["a tool's name in camel case", call(PAGE).replaceAll("write_file", "writeFile")],
    ["a tool's name with a hyphen", call(PAGE).replaceAll("write_file", "write-file")],
    ["Cline's name with its content as attributes", `<write_to_file path="index.html">\n<content>\n${PAGE}</content>\n</write_to_file>\n`],
    ["a path with white space around it", call(PAGE).replace(">index.html<", ">\n  index.html\n<")],
  ]), // prettier-ignore
  // Prose around calls.
  ...shapes([
    ["a tool that is named in a sentence before its call", `I will use <write_file> for this.\n\n${call(PAGE)}`],
    ["a tool that is named at the end of a line, another one is called", `I do not need <read_file>\n${call(PAGE)}`],
    ["a tool that is named in the line of the call", `Using <read_file> is not needed: ${call(PAGE)}`],
    ["tools that are named in a list", `I can use:\n- <read_file>\n- <write_file>\n- <run_command>\n\n${call(PAGE)}`],
    ["a call in the line of a sentence in Chinese", `好的，我来创建页面：${call(PAGE)}`],
    ["Chinese around calls", `首先写页面。\n${call(PAGE)}然后安装依赖：\n${INSTALL}完成。\n`, ALSO],
    ["a heading and bold words around calls", `## Step 1\n**The page:**\n${call(PAGE)}\n## Step 2\n${INSTALL}`, ALSO],
    ["calls in a list", `1. The page:\n   ${call(PAGE).trimEnd()}\n2. Install:\n   ${INSTALL}`, ALSO],
    ["words before a lone end of thinking", `The user wants a page. I write it.\n</think>\n\n${call(PAGE)}`],
    ["a call in thinking and another one behind it", `<think>\n${call("no\n", "no.html")}</think>\n${call(PAGE)}`],
    ["a call in a tag of reasoning", `<reasoning>\n${call("no\n", "no.html")}</reasoning>\n${call(PAGE)}`],
    ["a call in a tag of thought", `<thought>\n${call("no\n", "no.html")}</thought>\n${call(PAGE)}`],
    ["thinking with a mention of its own tag", `<thinking>\nI use <thinking> here.\n</thinking>\n${call(PAGE)}`],
    ["a byte-order mark before a call", `\ufeff${call(PAGE)}`],
    ["a byte-order mark before a fence", `\ufeff${fence(call(PAGE))}`],
    ["a lone backtick before a call", `It's called \`index.html.\n${call(PAGE)}`],
    ["a fence of code before a call", `${fence("const a = 1;\n", "ts")}\n${call(PAGE)}`],
    ["a fence that is closed with words behind it, before a call", `\`\`\`ts\nconst a = 1;\n\`\`\` as said\n\`\`\`\n${call(PAGE)}`],
    ["a rule of equal signs around a call", `=====\n${call(PAGE)}=====\n`],
    ["no-break spaces between tags", call(PAGE).replaceAll(/>\n<(?=path|content|\/write)/g, ">\n\u00a0\u00a0<")],
    ["a space of full width between tags", call(PAGE).replaceAll(/>\n<(?=path|content|\/write)/g, ">\n\u3000<")],
    ["a zero-width space between tags", call(PAGE).replaceAll(/>\n<(?=path|content|\/write)/g, ">\u200b\n<")],
    ["tokens of a chat template around a call", `<|im_start|>assistant\n${call(PAGE)}<|im_end|>\n`],
    ["a result that the model makes up behind its call", `${call(PAGE)}\n[write_file for 'index.html'] Result:\nThe file was saved.\n`],
  ]), // prettier-ignore
  // Contents of files.
  ...shapes([
    ["a file with the tag of its own parameter", call("<content>\n<b>x</b>\n</content>\n"), wrote("<content>\n<b>x</b>\n</content>\n")],
    ["a file that documents a call", call(DOC, "README.md"), wrote(DOC, "README.md")],
    ["a file that documents a call, and another call", call(DOC, "README.md") + INSTALL, { ...wrote(DOC, "README.md"), ...ALSO }],
    ["a file with a call in a string", call("const x = '<write_file><path>a</path></write_file>';\n", "a.ts"), wrote("const x = '<write_file><path>a</path></write_file>';\n", "a.ts")],
    ["a test with a whole call in a string", call("const x = '<write_file><path>a</path><content>b</content></write_file>';\nok(x);\n", "a.ts"), wrote("const x = '<write_file><path>a</path><content>b</content></write_file>';\nok(x);\n", "a.ts")],
    ["a file with the end of its parameter in a string", call('const end = "</content>";\nok(end);\n', "a.ts"), wrote('const end = "</content>";\nok(end);\n', "a.ts")],
    ["a file with the end of its tool in a string", call('const end = "</write_file>";\nok(end);\n', "a.ts"), wrote('const end = "</write_file>";\nok(end);\n', "a.ts")],
    ["a file with an opening tag in a string", call('const a = "<write_file>";\nok(a);\n', "a.ts"), wrote('const a = "<write_file>";\nok(a);\n', "a.ts")],
    ["a file with fences", call("# A\n\n```xml\n<a/>\n```\n", "a.md"), wrote("# A\n\n```xml\n<a/>\n```\n", "a.md")],
    ["a file with thinking", call("<think>\nx\n</think>\n", "a.md"), wrote("<think>\nx\n</think>\n", "a.md")],
    ["a file with an open fence", call("# A\n\n```\n", "a.md"), wrote("# A\n\n```\n", "a.md")],
    ["a file with an unfinished thinking tag", call("a <think> b\n", "a.md"), wrote("a <think> b\n", "a.md")],
    ["a file in CRLF", call("a\r\nb\r\n", "a.txt").replaceAll("<content>\n", "<content>\r\n"), wrote("a\r\nb\r\n", "a.txt")],
    ["a message in CRLF", call("a\nb\n", "a.txt").replaceAll("\n", "\r\n"), wrote("a\r\nb\r\n", "a.txt")],
    ["a message in CRLF in a fence", fence(call("a\nb\n", "a.txt")).replaceAll("\n", "\r\n"), wrote("a\r\nb\r\n", "a.txt")],
    ["an empty file", call("", "a.txt"), wrote("", "a.txt")],
    ["an empty file on one line", "<write_file><path>a.txt</path><content></content></write_file>", wrote("", "a.txt")],
    ["a file with entities that are its own", call("<p>a &lt; b &amp; c</p>\n"), wrote("<p>a &lt; b &amp; c</p>\n")],
    ["a file whose first line is indented", call("  a:\n    b\n", "a.yml"), wrote("  a:\n    b\n", "a.yml")],
    ["a file in Chinese", call("<p>你好，世界</p>\n"), wrote("<p>你好，世界</p>\n")],
    ["a file with an emoji of several characters", call("<p>👩‍💻</p>\n"), wrote("<p>👩‍💻</p>\n")],
  ]), // prettier-ignore
  // Fences.
  ...shapes([
    ["a call in a fence without a language", fence(call(PAGE), "")],
    ["a call in a fence of four", fence(call(PAGE), "xml", "````")],
    ["a call in a fence of four whose file has fences of three", fence(call("```js\nx\n```\n", "a.md"), "xml", "````"), wrote("```js\nx\n```\n", "a.md")],
    ["a call in a fence of tildes", fence(call(PAGE), "xml", "~~~")],
    ["an example in a fence of tildes", `For example:\n\n${fence(call(PAGE), "xml", "~~~")}`, NONE],
    ["a call in an indented fence", `1. The page:\n\n   \`\`\`xml\n   ${call(PAGE).trimEnd()}\n   \`\`\`\n`],
    ["each call in a fence of its own", `${fence(call(PAGE))}\nand\n\n${fence(INSTALL, "tool_use")}`, ALSO],
    ["a call in a fence, and one behind it", `${fence(call(PAGE))}\n${INSTALL}`, ALSO],
    ["a call, and one in a fence behind it", `${call(PAGE)}\n${fence(INSTALL)}`, ALSO],
    ["a call in a fence that words close on its line", `\`\`\`xml\n${call(PAGE)}\`\`\` Done.\n`],
    ["a call in a fence that begins on its line", `\`\`\`xml ${call(PAGE)}\`\`\`\n`],
    ["a call in a fence with a comment", fence(`<!-- the page -->\n${call(PAGE)}`)],
    ["a fence in a fence", fence(fence(call(PAGE)), "markdown", "````"), NONE],
    ["a command in words that names a sample", `Let me read the sample first:\n\n${fence(INSTALL)}`, ONLY],
    ["a call in a fence after words of what is done next", `Now I'll add the example page:\n\n${fence(call(PAGE))}`],
    ["JSON of a call in a fence of tool_call", `\`\`\`tool_call\n${JSON.stringify({ name: "run_command", arguments: { command: "npm install" } })}\n\`\`\`\n`, ONLY],
    ["a tag of a call as JSON in a fence", fence(`<tool_call>\n${JSON.stringify({ name: "run_command", arguments: { command: "npm install" } })}\n</tool_call>\n`), ONLY],
  ]), // prettier-ignore
  // Examples that must not be executed.
  ...shapes([
    ["a call in inline code", `Write \`<run_command><command>npm install</command></run_command>\` to install.\n`, NONE],
    ["a call in inline code of two backticks", `Write \`\`<run_command><command>npm \`install</command></run_command>\`\` to install.\n`, NONE],
    ["an example in Chinese", `例如：\n\n${fence(INSTALL)}`, NONE],
    ["a format in Chinese", `工具的格式如下：\n\n${fence(INSTALL)}`, NONE],
    ["an example in Japanese", `例えば、次のように書きます：\n\n${fence(INSTALL)}`, NONE],
    ["an example in Spanish", `Por ejemplo:\n\n${fence(INSTALL)}`, NONE],
    ["an example in Portuguese", `Por exemplo:\n\n${fence(INSTALL)}`, NONE],
    ["an example in German", `Zum Beispiel:\n\n${fence(INSTALL)}`, NONE],
    ["an example in French", `Par exemple :\n\n${fence(INSTALL)}`, NONE],
    ["an example in Russian", `Например:\n\n${fence(INSTALL)}`, NONE],
    ["an example in Korean", `예를 들어:\n\n${fence(INSTALL)}`, NONE],
    ["what must not be written", `Do not write:\n\n${fence(INSTALL)}`, NONE],
    ["what was wrong", `This is wrong:\n\n${fence(INSTALL)}`, NONE],
    ["what is written instead of", `Instead of\n\n${fence(INSTALL)}\nI edit the file.\n`, NONE],
    ["what the person could write", `You would write it so:\n\n${fence(INSTALL)}`, NONE],
    ["what the call would be", `The call would be:\n\n${fence(INSTALL)}`, NONE],
    ["a call in a comment", `<!--\n${INSTALL}-->\n${call(PAGE)}`],
    ["a call with escaped tags", INSTALL.replaceAll("<", "&lt;").replaceAll(">", "&gt;"), { files: {}, isTold: true }],
    ["a call in a quotation", INSTALL.replaceAll(/^(?=.)/gm, "> "), NONE],
    ["names of tags without their values", "Use <run_command> with <command> and </command>, then </run_command>.\n", NONE],
  ]), // prettier-ignore
  // Other templates.
  ...shapes([
    ["GLM's own spelling", `<tool_call>run_command\n<arg_key>command</arg_key>\n<arg_value>npm install</arg_value>\n</tool_call>\n`, ONLY],
    ["Kimi's own spelling", `<|tool_calls_section_begin|><|tool_call_begin|>functions.run_command:0<|tool_call_argument_begin|>{"command": "npm install"}<|tool_call_end|><|tool_calls_section_end|>\n`, ONLY],
    ["DeepSeek's own spelling", `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>run_command\n\`\`\`json\n{"command": "npm install"}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>\n`, ONLY],
    ["DeepSeek's newer spelling", `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>run_command<｜tool▁sep｜>{"command": "npm install"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>\n`, ONLY],
    ["Mistral's own spelling", `[TOOL_CALLS][{"name": "run_command", "arguments": {"command": "npm install"}}]\n`, ONLY],
    ["Mistral's newer spelling", `[TOOL_CALLS]run_command[ARGS]{"command": "npm install"}\n`, ONLY],
    ["Llama's own spelling", `<|python_tag|>{"name": "run_command", "parameters": {"command": "npm install"}}\n`, ONLY],
    ["Granite's own spelling", `<|tool_call|>[{"name": "run_command", "arguments": {"command": "npm install"}}]\n`, ONLY],
    ["Hermes' spelling with a function in it", `<tool_call>\n{"type": "function", "function": {"name": "run_command", "arguments": {"command": "npm install"}}}\n</tool_call>\n`, ONLY],
    ["Hermes' spelling with tool and args", `<tool_call>\n{"tool": "run_command", "args": {"command": "npm install"}}\n</tool_call>\n`, ONLY],
    ["a function with parameters as JSON", `<function=run_command>{"command": "npm install"}</function>\n`, ONLY],
    ["two functions in one tag", `<tool_call>\n<function=run_command>\n<parameter=command>\nnpm install\n</parameter>\n</function>\n<function=run_command>\n<parameter=command>\nnpm test\n</parameter>\n</function>\n</tool_call>\n`, { files: {}, commands: ["npm install", "npm test"] }],
    ["a function without its last tags", `<tool_call>\n<function=run_command>\n<parameter=command>\nnpm install\n</function>\n</tool_call>\n`, ONLY],
    ["JSON with line breaks in a string", `<tool_call>\n{"name": "write_file", "arguments": {"path": "index.html", "content": "${PAGE.replaceAll('"', '\\"')}"}}\n</tool_call>\n`],
    ["JSON in a tag, in a fence of its own", `<tool_call>\n\`\`\`json\n{"name": "run_command", "arguments": {"command": "npm install"}}\n\`\`\`\n</tool_call>\n`, ONLY],
    ["a JSON list of calls", `<tool_call>[{"name": "run_command", "arguments": {"command": "npm install"}}]</tool_call>\n`, ONLY],
    ["a call as a tag with a name", `<tool_call name="run_command">\n<command>npm install</command>\n</tool_call>\n`, ONLY],
    ["a call as a function_call with a name", `<function_call name="run_command">\n<parameter name="command">npm install</parameter>\n</function_call>\n`, ONLY],
    ["a call as a tool with a name", `<tool name="run_command">\n<parameter name="command">npm install</parameter>\n</tool>\n`, ONLY],
    ["a call with its name and arguments in tags", `<tool_call>\n<name>run_command</name>\n<arguments>{"command": "npm install"}</arguments>\n</tool_call>\n`, ONLY],
    ["a call with its tool_name and parameters in tags", `<tool_use>\n<tool_name>run_command</tool_name>\n<parameters>\n<command>npm install</command>\n</parameters>\n</tool_use>\n`, ONLY],
  ]), // prettier-ignore
];

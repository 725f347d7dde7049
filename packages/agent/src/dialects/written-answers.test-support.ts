/** Answers as models write them, reworded, with how a careful reader interprets them. */
export interface WrittenAnswer {
  name: string;
  dialect: "artifact" | "tags";
  /** Files before the answer, from path to text. */
  project?: Record<string, string>;
  answer: string;
  want: {
    files?: Record<string, string>;
    absent?: string[];
    /** Texts, each of which must occur in the input of some call. */
    called?: string[];
    /** The number of calls. */
    calls?: number;
    shown?: string[];
    shownWithout?: string[];
    /** Whether the model and the person learn that something was not executed. */
    isTold?: true;
    /** Whether the result says that an end was guessed. */
    isGuessed?: true;
  };
}

const TAGS: readonly Omit<WrittenAnswer, "dialect">[] = [
  {
    name: "a value that its parameter's sibling closes",
    answer:
      "<write_to_file>\n<path>a.ts</path>\n<content>\nlet a = 1;\n</file_content>\n</write_to_file>\n",
    want: { files: { "a.ts": "let a = 1;\n" }, isGuessed: true },
  },
  {
    name: "a value whose closing tag lacks its bracket, and prose behind it",
    answer: "<write_file>\n<path>a.ts</path>\n<content>\nlet a = 1;\n</content\n\nThat is all.\n",
    want: { files: { "a.ts": "let a = 1;\n" }, shown: ["That is all."], isGuessed: true },
  },
  {
    name: "a value with a misspelt end, before the next call",
    answer:
      "<write_file>\n<path>a.ts</path>\n<content>\nlet a = 1;\n</contents>\n\n<write_file>\n<path>b.ts</path>\n<content>\nlet b = 1;\n</content>\n</write_file>\n",
    want: { files: { "a.ts": "let a = 1;\n", "b.ts": "let b = 1;\n" }, isGuessed: true },
  },
  {
    name: "a closing tag that nothing opened, in a value with an end of its own",
    answer:
      "<write_file>\n<path>foot.html</path>\n<content>\n</main>\n</body>\n</content>\n</write_file>\n",
    want: { files: { "foot.html": "</main>\n</body>\n" } },
  },
  {
    name: "a call that another tool's end closes",
    answer:
      "<write_to_file>\n<path>a.ts</path>\n<content>\nlet a = 1;\n</content>\n</write_file>\n\nThen b.\n",
    want: {
      files: { "a.ts": "let a = 1;\n" },
      shown: ["Then b."],
      shownWithout: ["</write_file>"],
      isGuessed: true,
    },
  },
  {
    name: "a first line in the line of its tag, indented",
    answer:
      "<write_file>\n<path>a.py</path>\n<content>    x = 1\n    y = 2\n</content>\n</write_file>\n",
    want: { files: { "a.py": "    x = 1\n    y = 2\n" } },
  },
  {
    name: "a value in one line, with blanks around it",
    project: { "a.ts": "let a = 1;\n" },
    answer: "<read_file>\n<path>   a.ts  \n</path>\n</read_file>\n",
    want: { called: ["a.ts"], calls: 1 },
  },
  {
    name: "a file that is begun anew in the midst of its line",
    answer:
      "<write_file>\n<path>a.ts</path>\n<content>\nlet a = one ?<write_file>\n<path>a.ts</path>\n<content>\nlet a = one ? 1 : 2;\n</content>\n</write_file>\n",
    want: { files: { "a.ts": "let a = one ? 1 : 2;\n" }, calls: 1 },
  },
  {
    name: "a block that a divider ends, before another block",
    project: { "a.css": "a {\n}\nb {\n}\n" },
    answer:
      "<replace_in_file>\n<path>a.css</path>\n<diff>\n<<<<<<< SEARCH\na {\n=======\nc {\n=======\n<<<<<<< SEARCH\nb {\n=======\nd {\n>>>>>>> REPLACE\n</diff>\n</replace_in_file>\n",
    want: { files: { "a.css": "c {\n}\nd {\n}\n" }, isGuessed: true },
  },
  {
    name: "equal blocks for each place",
    project: { "a.js": "a();\nwait();\nb();\nwait();\n" },
    answer: `<replace_in_file>\n<path>a.js</path>\n<diff>\n${"<<<<<<< SEARCH\nwait();\n=======\nstop();\n>>>>>>> REPLACE\n".repeat(2)}</diff>\n</replace_in_file>\n`,
    want: { files: { "a.js": "a();\nstop();\nb();\nstop();\n" } },
  },
  {
    name: "a block that names its line",
    project: { "a.js": "one() {\n  go();\n}\ntwo() {\n  go();\n}\n" },
    answer:
      "<apply_diff>\n<path>a.js</path>\n<diff>\n<<<<<<< SEARCH\n:start_line:5\n-------\n  go();\n=======\n  stop();\n>>>>>>> REPLACE\n</diff>\n</apply_diff>\n",
    want: { files: { "a.js": "one() {\n  go();\n}\ntwo() {\n  stop();\n}\n" } },
  },
  {
    name: "a call with a separator behind its name, in a list behind words",
    answer:
      "I'll list them:<tool_calls>\n<tool_call>run_command<tool_sep>\n<arg_key>command</arg_key>\n<arg_value>git status</arg_value>\n</tool_call>\n</tool_calls>\n\nChecking.\n",
    want: {
      called: ["git status"],
      shown: ["I'll list them:", "Checking."],
      shownWithout: ["tool_call", "arg_"],
    },
  },
  {
    name: "JSON in tags behind words",
    project: { "a.ts": "let a = 1;\n" },
    answer:
      'I read it. <tool_call>{"name": "read_file", "arguments": {"path": "a.ts"}}</tool_call>',
    want: { called: ["a.ts"], shownWithout: ["tool_call"] },
  },
  {
    name: "JSON alone behind words",
    project: { "a.ts": "let a = 1;\n" },
    answer: 'I read it: {"name": "read_file", "arguments": {"path": "a.ts"}}\n',
    want: { called: ["a.ts"], shownWithout: ['"name"'] },
  },
  {
    name: "a call in a sentence that goes on behind it",
    answer:
      'A call is written <tool_call>{"name": "run_command", "arguments": {"command": "rm a"}}</tool_call> in this format.\n',
    want: { calls: 0 },
  },
  {
    name: "calls that are shown as code",
    answer:
      'Written as `<tool_call>{"name": "run_command", "arguments": {"command": "rm a"}}</tool_call>`, for example:\n```\n<run_command>\n<command>rm b</command>\n</run_command>\n```\n',
    want: { calls: 0 },
  },
  {
    name: "a whole answer in a fence, with a thought",
    project: { "a.ts": "let a = 1;\n" },
    answer:
      "```\n<thinking>\nI will read it.\n</thinking>\n<read_file>\n<path>a.ts</path>\n</read_file>\n```\n",
    want: { called: ["a.ts"], calls: 1 },
  },
  {
    name: "several files in one call",
    project: { "a.ts": "let a = 1;\n", "b.ts": "let b = 1;\n" },
    answer:
      "<read_file>\n<args>\n  <file>\n    <path>a.ts</path>\n  </file>\n  <file>\n    <path>b.ts</path>\n  </file>\n</args>\n</read_file>\n",
    want: { called: ["a.ts", "b.ts"], calls: 2, shownWithout: ["path>", "args>"] },
  },
  {
    name: "a list of work in another spelling",
    answer:
      "Plan first.\n\n<update_todo_list>\n<todos>\n[x] Read the page\n[ ] Add the button\n</todos>\n</update_todo_list>\n",
    want: { calls: 1, shown: ["Plan first."], shownWithout: ["todo"] },
  },
  {
    name: "tags with a prefix in a list with the same",
    answer:
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="write_file">\n<｜DSML｜parameter name="path" string="true">a.ts</｜DSML｜parameter>\n<｜DSML｜parameter name="content" string="true">let a = 1;\n</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>\n',
    want: { files: { "a.ts": "let a = 1;\n" }, shownWithout: ["DSML"] },
  },
  {
    name: "an invoke in a list of its product",
    answer:
      '<minimax:tool_call>\n<invoke name="run_command">\n<parameter name="command">git status</parameter>\n</invoke>\n</minimax:tool_call>\n',
    want: { called: ["git status"], calls: 1, shownWithout: ["minimax"] },
  },
];

const artifact = (inside: string) => `<boltArtifact id="a" title="A">\n${inside}</boltArtifact>\n`;
const file = (path: string, inside: string) =>
  `<boltAction type="file" filePath="${path}">\n${inside}`;
const END = "</boltAction>\n";
const A = "let a = 1;\n";
const B = "let b = 1;\n";

const ARTIFACTS: readonly Omit<WrittenAnswer, "dialect">[] = [
  {
    name: "a file whose end lacks its bracket, before prose and another file",
    answer: artifact(
      `${file("a.ts", `${A}</boltAction\n\nDone, I set it.\n`)}${file("b.ts", B + END)}`,
    ),
    want: { files: { "a.ts": A, "b.ts": B }, isGuessed: true },
  },
  {
    name: "a file that a tag of another name closes",
    answer: artifact(`${file("a.ts", `${A}</boltFile>\n\nNow b:\n\n`)}${file("b.ts", B + END)}`),
    want: { files: { "a.ts": A, "b.ts": B }, isGuessed: true },
  },
  {
    name: "a file that a misspelt tag closes, at the end of its artifact",
    answer: artifact(file("a.ts", `${A}</boltActoin>\n`)),
    want: { files: { "a.ts": A }, isGuessed: true },
  },
  {
    name: "a file that the end of a parameter closes, before prose",
    answer: `${file("a.ts", `${A}</content\n\nThat is all of it.\n`)}`,
    want: { files: { "a.ts": A }, shown: ["That is all of it."], isGuessed: true },
  },
  {
    name: "a file with such a tag and an end of its own",
    answer: artifact(file("a.md", `Write it so:\n</content>\nand go on.\n${END}`)),
    want: { files: { "a.md": "Write it so:\n</content>\nand go on.\n" } },
  },
  {
    name: "a file that is begun anew in the midst of a line",
    answer: artifact(file("a.ts", `let a = one ?${file("a.ts", `let a = one ? 1 : 2;\n${END}`)}`)),
    want: { files: { "a.ts": "let a = one ? 1 : 2;\n" }, calls: 1 },
  },
  {
    name: "a file that is begun anew on a line of its own",
    answer: artifact(file("a.ts", `let a = 1;\nlet b\n${file("a.ts", `${A}${B}${END}`)}`)),
    want: { files: { "a.ts": A + B }, calls: 1 },
  },
  {
    name: "an action behind words",
    answer: `Let's write it.${file("a.ts", A + END)}`,
    want: { files: { "a.ts": A }, shown: ["Let's write it."], shownWithout: ["boltAction"] },
  },
  {
    name: "an action behind words within its line",
    answer: `Look at it: <boltAction type="shell">git status</boltAction>\n`,
    want: { called: ["git status"], shownWithout: ["boltAction"] },
  },
  {
    name: "an action in a sentence that goes on behind it",
    answer: `One writes <boltAction type="shell">rm a</boltAction> to remove a file.\n`,
    want: { calls: 0 },
  },
  {
    name: "an action that is shown as code",
    answer: `One writes \`<boltAction type="shell">rm a</boltAction>\`\n`,
    want: { calls: 0 },
  },
  {
    name: "a file with a mark that is no content",
    answer: artifact(file("a.ts", `[v0-no-op-code-block-prefix]${A}${END}`)),
    want: { files: { "a.ts": A } },
  },
  {
    name: "a call of another template, in this dialect",
    answer:
      "<tool_call>run_command\n<arg_key>command</arg_key>\n<arg_value>git status</arg_value>\n</tool_call>\n",
    want: { calls: 0, isTold: true, shownWithout: ["tool_call", "arg_"] },
  },
  {
    name: "an edit of another product",
    project: { "src/App.tsx": "export const App = 1;\n" },
    answer:
      '<dyad-edit path="src/App.tsx" description="Route">\n// ... existing code ...\n<Route path="/faq" />\n</dyad-edit>\n',
    want: {
      files: { "src/App.tsx": "export const App = 1;\n" },
      isTold: true,
      shown: ["<Route"],
      shownWithout: ["dyad"],
    },
  },
  {
    name: "a file of another product behind words",
    answer: 'Types go here: <lov-write file_path="a.ts">\nexport const a = 1;\n</lov-write>\n',
    want: {
      absent: ["a.ts"],
      isTold: true,
      shown: ["Types go here:"],
      shownWithout: ["lov-write"],
    },
  },
];

export const WRITTEN_ANSWERS: readonly WrittenAnswer[] = [
  ...TAGS.map((one) => ({ ...one, dialect: "tags" as const })),
  ...ARTIFACTS.map((one) => ({ ...one, dialect: "artifact" as const })),
];

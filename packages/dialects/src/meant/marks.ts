/**
 * How calls, edits and files begin in the products and chat templates on which models were trained.
 * Such a beginning in a model's prose was intended as a call, but in another dialect or none.
 */
export interface Mark {
  product: string;
  /** The beginning of a line, without inline code. */
  begins: RegExp;
  /** Never occurs in prose, so that it counts after words, too. */
  isUnique?: true;
  /** Its tags, which are not shown. */
  tags?: RegExp;
  /** Whether the text between the tags is code. */
  isCode?: true;
  example: string;
}

const tagged = (names: string) => new RegExp(`^<(?:${names})(?:\\s[^<>]*)?>?`, "i");

export const MARKS: readonly Mark[] = [
  { product: "bolt", begins: /^(?:<|&lt;)\s{0,8}bolt[-_]?(?:artifact|action)\b/i, tags: /bolt[-_]?(?:artifact|action)/, isCode: true, example: '<boltAction type="file" filePath="a.ts">\na\n</boltAction>' },
  { product: "Dyad", begins: tagged("dyad-(?!status|chat|output|problem|think)[a-z-]+"), tags: /dyad-[a-z-]+/, isCode: true, example: '<dyad-edit path="a.ts">\na\n</dyad-edit>' },
  { product: "Lovable", begins: tagged("lov-(?!thinking|actions|success|error|link)[a-z-]+"), tags: /lov-[a-z-]+/, isCode: true, example: '<lov-write file_path="a.ts">\na\n</lov-write>' },
  { product: "v0, a fence with escaped backticks", begins: /^(?:\\`){3,}\w/, example: '\\`\\`\\`tsx file="a.tsx"\na\n\\`\\`\\`' },
  { product: "v0, a fence that was lost", begins: /^[a-z]{1,12} file="[^"\n]{1,400}"(?: \w{1,20}="[^"\n]{0,400}")*$/, example: 'tsx file="a.tsx"\na' },
  { product: "v0, an edit", begins: tagged("QuickEdit|Edit(?= )|MoveFile|DeleteFile"), tags: /QuickEdit|MoveFile|DeleteFile|CodeProject|V0Project/, isCode: true, example: '<QuickEdit file="a.tsx">\na\n</QuickEdit>' },
  { product: "Claude's artifacts", begins: tagged("antArtifact"), tags: /antArtifact/, isCode: true, example: '<antArtifact identifier="a" type="text/html">\na\n</antArtifact>' },
  { product: "Gemini's canvas", begins: tagged("immersive"), tags: /immersive/, isCode: true, example: '<immersive id="a" type="code" title="A">\na\n</immersive>' },
  { product: "Cline and Roo", begins: /^(?:<|&lt;)(?:(?:write|read|edit|create|delete|rename|list|search|move)(?:_to)?_files?|replace_in_file|apply_(?:diff|patch)|(?:run|execute)_command|start_server|attempt_completion|update_todo_list|ask_followup_question|insert_content|search_and_replace|str_replace_editor|new_task|switch_mode|use_mcp_tool|access_mcp_resource|list_code_definition_names|browser_action|fetch_instructions|codebase_search|generate_image|run_slash_command)(?=\s|>|&gt;)/, tags: /(?:write|read|edit|create|delete|rename|list|search|move)(?:_to)?_files?|replace_in_file|apply_(?:diff|patch)|(?:run|execute)_command|start_server|attempt_completion|update_todo_list|ask_followup_question|insert_content|search_and_replace|str_replace_editor|new_task|switch_mode|use_mcp_tool|access_mcp_resource|list_code_definition_names|browser_action|fetch_instructions|codebase_search|generate_image|run_slash_command/, isCode: true, example: "<insert_content>\n<path>a.ts</path>\n<content>\na\n</content>\n</insert_content>" },
  { product: "Codex", begins: /^\*\*\* (?:Begin Patch|Add File: |Update File: |Delete File: )/, example: "*** Begin Patch\n*** Add File: a.ts\n+a\n*** End Patch" },
  { product: "aider", begins: /^(?:<{5,9}|-{5,9}) SEARCH>?$/, example: "a.ts\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE" },
  { product: "Anthropic's invoke", begins: /^<(?:[\w-]{1,20}:)?invoke\s/, tags: /(?:[\w-]{1,20}:)?(?:invoke|function_calls|parameter)/, example: '<invoke name="run">\n<parameter name="command">ls</parameter>\n</invoke>' },
  { product: "Qwen and Hermes", begins: /^<(?:tool_calls?|function_call|tool_use|tools?)>\s*(?:[[{]|<function=|<(?:tool_)?name>)/, isUnique: true, tags: /tool_calls?|function_call|tool_use/, example: '<tool_call>\n{"name": "run", "arguments": {}}\n</tool_call>' },
  { product: "Qwen's functions", begins: /^<(?:function=|start_function_call>)/, isUnique: true, tags: /(?:function|parameter)(?:=[\w-]*)?/, example: "<function=run>\n<parameter=command>\nls\n</parameter>\n</function>" },
  { product: "GLM and Hunyuan", begins: /^<tool_call>\s*[\w-]+\s*(?:$|<(?:arg_key|tool_sep)>)/, isUnique: true, tags: /tool_calls?|arg_key|arg_value|tool_sep/, example: "<tool_call>run\n<arg_key>command</arg_key>\n<arg_value>ls</arg_value>\n</tool_call>" },
  { product: "Kimi", begins: /^<\|tool_calls?_(?:section_)?begin\|>/, isUnique: true, example: "<|tool_calls_section_begin|><|tool_call_begin|>functions.run:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>" },
  { product: "MiniMax", begins: /^<minimax:tool_call>/, isUnique: true, tags: /minimax:tool_call/, example: '<minimax:tool_call>\n<invoke name="run">\n</invoke>\n</minimax:tool_call>' },
  { product: "DeepSeek", begins: /^<[|｜]tool[▁_]calls?[▁_]begin[|｜]>/, isUnique: true, example: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>run\n{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>" },
  { product: "DeepSeek's DSML", begins: /^<[|｜]DSML[|｜]\w/, isUnique: true, tags: /[|｜]DSML[|｜]\w+/, example: '<｜DSML｜function_calls>\n<｜DSML｜invoke name="run">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>' },
  { product: "gpt-oss", begins: /^(?:<\|start\|>)?(?:assistant)?.{0,40}\bto=functions\.\w/, isUnique: true, example: '<|start|>assistant<|channel|>commentary to=functions.run <|constrain|>json<|message|>{"command":"ls"}<|call|>' },
  { product: "Llama and others", begins: /^<[|｜](?:python_tag|action_start|START_ACTION|channel\||tool_call)/, isUnique: true, example: '<|python_tag|>{"name": "run", "parameters": {}}' },
  { product: "Mistral and others", begins: /^\[(?:TOOL_CALLS\]|TOOL_REQUEST\]|tool_call\])/, example: '[TOOL_CALLS][{"name": "run", "arguments": {}}]' },
  { product: "JSON alone, as MiniMax and others write it", begins: /^(?:\[\s*)?\{\s*"(?:name|tool|function)"\s*:\s*"[\w.-]{1,64}"\s*,\s*"(?:arguments|parameters|args|input)"\s*:/, example: '{"name": "run", "arguments": {"command": "ls"}}' },
  { product: "ReAct", begins: /^Action: [\w-]{1,64}$/, example: "Action: run\nAction Input: {}" },
]; // prettier-ignore

/** A tag after words, with the text after it. */
const TAG = /<\/?[^<>\s/][^<>]{0,2000}>/g;
/** The mark at the start of a line, or after its words with nothing but its own end after it. */
export function markIn(line: string): Mark | undefined {
  const first = MARKS.find(({ begins }) => begins.test(line));
  if (first) return first;
  const unique = [...line.matchAll(/<[|｜]?|\bto=functions/g)].find(({ index }) => uniqueAt(line, index));
  if (unique) return uniqueAt(line, unique.index);
  for (const { 0: tag, index } of line.matchAll(TAG)) {
    const behind = line.slice(index + tag.length).trim();
    if (behind !== "" && !/<\/[^<>]{1,80}>$/.test(behind)) continue;
    const found = MARKS.find(({ begins, tags }) => tags !== undefined && begins.test(`${tag}`));
    // A name alone may only be mentioned.
    if (found && (tag.includes("=") || behind !== "")) return found;
  }
  return undefined;
} // prettier-ignore

const uniqueAt = (line: string, at: number) =>
  MARKS.find(({ isUnique, begins }) => isUnique && begins.test(line.slice(at)));

/** Characters of what is quoted, and of a text that is looked through. */
const QUOTED = 60;
const MOST = 400_000;

const TOOLS =
  "write_file|write_to_file|create_file|edit_file|replace_in_file|apply_diff|delete_file|run_command|execute_command|start_server|read_file|str_replace_editor";
/** What begins a line and is meant to do something, in any spelling that models were seen to write or were trained to. */
const ACTS: readonly RegExp[] = [
  /^<\s{0,8}bolt[-_]?(?:artifact|action)[\s>/]/i,
  new RegExp(`^(?:<|&lt;)(?:${TOOLS})(?:\\s|>|&gt;)`),
  /^&lt;bolt(?:artifact|action)\b/i,
  /^<(?:[\w-]{1,20}:)?invoke\s/,
  /^<(?:tool_call|function_call|tool_use|tools?)>\s*(?:[[{]|<function=|<(?:tool_)?name>)/,
  /^<(?:function=|start_function_call>)/,
  /^\[(?:TOOL_CALLS\]|TOOL_REQUEST\]|tool_call\])/,
  /^\*\*\* (?:Begin Patch|Add File: |Update File: |Delete File: )/,
  /^(?:<{5,9}|-{5,9}) SEARCH>?$/,
  /^<(?:lov|dyad)-(?:write|delete|rename|add-dependency|search-replace|line-replace|code)\b/,
  /^(?:\[\s*)?\{\s*"(?:name|tool|function)"\s*:\s*"[\w.-]{1,64}"\s*,\s*"(?:arguments|parameters|args|input)"\s*:/,
  /^Action: [\w-]{1,64}$/,
];
/** Marks of templates, wherever they stand. */
const MARKS =
  /<[|｜](?:tool[_▁]calls?|python_tag|channel\||action_start|START_ACTION)|\bto=functions\.\w/;
/** An action that ends its line, behind words. */
const BEHIND = /<bolt[-_]?action\s[^<>]{0,400}\btype\s*=[^<]{0,2000}<\/bolt[-_]?action\s*>\s*$/i;
const ASIDE = /<!--|<(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad)>/gi;
/** A value that dots stand for: it shows how a call is written. */
const DOTS = /^\s*(?:\.{3}|…)\s*$|>\s*(?:\.{3}|…)\s*<|"(?:\.{3}|…)"|\s\.{3}>/;
const EXAMPLE = /\b(?:for example|for instance|e\.g\.|example|like this|so)\b[^.!?]{0,40}:\s*$/i;

/**
 * What of the words of an answer, of which nothing was carried out, was meant to be: the beginning of the first line that acts.
 * What stands in code, in closed thoughts, in comments and in quotations is only spoken of; thoughts that nothing closes hide
 * what was meant.
 */
export function unreadCall(said: string): string | undefined {
  const text = withoutAsides(said.slice(0, MOST));
  let fence = "";
  let before = "";
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    const written = line.trim();
    const [marks = ""] = /^(?:`{3,}|~{3,})/.exec(written) ?? [];
    if (fence !== "") {
      if (marks.startsWith(fence) && written === marks) fence = "";
      continue;
    }
    const plain = written.replaceAll(/`[^`]*`/g, "");
    if (marks !== "") fence = marks;
    else if (
      !written.startsWith(">") &&
      !EXAMPLE.test(before) &&
      acts(plain) &&
      !lines.slice(at, at + 4).some(isDots)
    )
      return written.slice(0, QUOTED);
    if (written !== "") before = written;
  }
  return undefined;
}

/** A text without comments, and without thoughts that are closed. */
function withoutAsides(text: string): string {
  const kept: string[] = [];
  const unclosed = new Set<string>();
  let from = 0;
  for (const { 0: open, index } of text.matchAll(ASIDE)) {
    if (index < from || unclosed.has(open)) continue;
    const close = open === "<!--" ? "-->" : open.replace("<", "</");
    const end = text.indexOf(close, index);
    if (end === -1) unclosed.add(open);
    else {
      kept.push(text.slice(from, index));
      from = end + close.length;
    }
  }
  return [...kept, text.slice(from)].join("\n");
}

const isDots = (line: string) => DOTS.test(line);

function acts(line: string): boolean {
  return ACTS.some((pattern) => pattern.test(line)) || MARKS.test(line) || BEHIND.test(line);
}

/**
 * Random answers in all forms that real models were observed to write, parsed in random chunks and
 * compared with slow, obviously correct readers, which have the complete text and search for one
 * thing after another.
 */
import { createLenientArtifactParser } from "../artifact/lenient.ts";
import { AROUND } from "../marked-shapes.test-support.ts";
import { differs, Random } from "./random.test-support.ts";
import { createUnfencedToolTagParser } from "../tool-tags/unfenced.ts";

interface Read {
  done: unknown[];
  /** Without white space. */
  text: string;
}

const bare = (text: string) => text.replaceAll(/\s/g, "");

const LINES = [
  "one",
  "two();",
  "  three <b>x</b>",
  "",
  "</div>",
  "a < b",
  "&lt;",
  "\tfour",
  "`five`",
];
const WORDS = [
  "Now this:",
  "So.",
  "I go on with the rest",
  "- [x] done",
  "Done.<|im_end|>",
  "So.<end_of_turn>",
];
const ACTION_LINES = [...LINES, "[THINK]", "◁think▷", "'</boltAction>';", "x = '</boltArtifact>'", "<boltArtifact title='none'>", "</boltArtifact> so"]; // prettier-ignore
const OPENS = [
  '<boltAction type="file" filePath="a.ts">',
  '<boltAction filePath="b.ts" type="file" contentType="text/x">',
  '<boltAction type="shell">',
  '<boltAction type="start">',
  '<boltAction type="file" filePath="c.ts" operation="delete"/>',
  '<boltAction type="supabase" operation="migration" filePath="/supabase/migrations/1.sql">',
  '<boltAction type="file" filePath="/etc/x">',
  "<boltAction type='file'>",
  '< bolt-action type="build">',
  '<boltAction type="file" path="d.ts">',
  '<boltAction filePath="e.ts">',
  '<boltAction type="create" filePath="f.ts">',
  '<boltAction type="bash">',
];

/** Reasoning in the markup of any template, with something in it that must not be executed. */
function thought(random: Random, no: string): string {
  const [open, close] = random.pick(THOUGHTS);
  const inside = random.pick(["", "I go on.\n", no, `So:\n${no}`]);
  return `\n${open}\n${inside}${close}\n`;
}
const THOUGHTS = [...AROUND, ["<think>", "</think>"], ["<reasoning>", "</reasoning>"]] as const;

/** Marks without reasoning, which have no meaning. */
const LONE_MARKS =
  /<end_of_turn>|<\|(?:im_)?end\|>|(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>/g;

/** The reasoning at a position of a text, and its end; undefined if none begins there. */
function thoughtAt(text: string, at: number): { words: string; to: number } | undefined {
  if (!/(?:^|\n)[ \t]*$/.test(text.slice(0, at))) return undefined;
  const [open, close] = THOUGHTS.find(([mark]) => text.startsWith(`${mark}\n`, at)) ?? [];
  if (open === undefined) return undefined;
  const end = text.toLowerCase().indexOf(close!.toLowerCase(), at);
  const isKnown = /^<(?:think|reasoning)>/.test(open);
  const written = text.slice(at + open.length, end === -1 ? text.length : end);
  // Tags that the parser knows are passed unchanged; the others as one of those.
  const inside = isKnown ? written : written.replaceAll(/<(?=\/think)/gi, "&lt;");
  const [before, behind] = isKnown ? [open, close!] : ["<think>", "</think>"];
  return end === -1
    ? { words: before + inside, to: text.length }
    : { words: before + inside + behind, to: end + close!.length };
}

function someLines(random: Random, lines: readonly string[]): string {
  return Array.from({ length: random.below(4) }, () => `${random.pick(lines)}\n`).join("");
}

/** Artifacts and actions, some without ends, some with words after them. */
function artifactAnswer(random: Random): string {
  const action = () => {
    const open = random.pick(OPENS);
    if (open.endsWith("/>")) return `${open}\n`;
    const end = random.pick(["</boltAction>", "</boltAction>", "</ boltAction >", "", ""]);
    const behind = random.pick(["\n", "\n", " ", "", ` ${random.pick(WORDS)}\n`, ` ${random.pick(WORDS)} `]); // prettier-ignore
    const lead = random.pick(["", "\n", "\r\n"]);
    return `${open}${lead}${someLines(random, ACTION_LINES)}${end}${end === "" ? "" : behind}`;
  };
  const actions = () => Array.from({ length: random.below(4) }, action).join("");
  const artifact = () => {
    const head = random.pick(['<boltArtifact id="i" title="a > b">', '<boltArtifact title="t" id="j">']); // prettier-ignore
    const end = random.pick(["</boltArtifact>\n", "\n</boltArtifact>\n", "\n  </boltArtifact>  \n", "\n"]); // prettier-ignore
    return `${head}\n${actions()}${end}`;
  };
  const prose = () => someLines(random, [...WORDS, "", "  a < b"]);
  const thoughts = () => thought(random, '<boltAction type="shell">no</boltAction>\n');
  const parts = Array.from({ length: 1 + random.below(4) }, () =>
    random.pick([artifact, artifact, prose, actions, thoughts])(),
  );
  return parts.join("");
}

const NEXT =
  /<\/\s*boltAction\s*>|<\s*bolt-?Action(?=[\s>/])|<boltArtifact(?=[\s>/])|<\/\s*boltArtifact\s*>/gi;
const ENDS = /<\/\s*boltAction\s*>|(?<=^[ \t]*)<\/\s*boltArtifact\s*>(?=[^\S\n]*(?:\n|$(?![^])))|(?<=^[ \t]*)<boltArtifact\s(?:"[^"]*"|'[^']*'|[^>"'])*>|<\s*bolt-?Action\s(?:"[^"]*"|'[^']*'|[^>"'])*>/gim; // prettier-ignore
const OPENING = /<\s*bolt-?(Artifact|Action)(?=[\s>/])((?:"[^"]*"|'[^']*'|[^>"'])*)>|<\/\s*boltArtifact\s*>/gi; // prettier-ignore

function first(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** The end of an action's content, and the start of what follows; no end if it was never closed. */
function endOf(text: string, from: number, isFile: boolean, opens: string): { from: number; to?: number; next?: number; implied?: true } | undefined {
  for (let end = first(ENDS, text, from); end; end = first(ENDS, text, end.index + 1)) {
    const behind = end.index + end[0].length;
    const next = first(NEXT, text, behind)?.[0] ?? "";
    const isClosing = /^<\/\s*boltAction/i.test(end[0]);
    const goesOn = /^<\/\s*boltAction/i.test(next);
    if (!isClosing) {
      if (/^<boltArtifact/i.test(end[0]) && !/\sid=/.test(end[0])) continue;
      if (/^<\s*bolt-?Action/i.test(end[0]) && !/\stype=/.test(end[0])) continue;
      if (text.slice(from, end.index).trim() === "" && opens.replace("bash", "shell") === end[0] && /filePath="[abc]|type="s|"build"/.test(end[0]))
        return endOf(text, behind, isFile, opens) ?? { from: behind };
      const closed = closingBehind(text, end.index);
      if (closed === -1 && /(?:^|\n)[ \t]*$/.test(text.slice(0, end.index)))
        return { from, to: end.index, next: end.index, implied: true };
      if (closed !== -1) end.index = closed - 1;
    } else if (!isFile || /^[^\S\n]*(?:\n|$(?![^]))/.test(text.slice(behind)) || !goesOn)
      return { from, to: end.index, next: behind };
  }
  return undefined;
} // prettier-ignore

/**
 * The closing tag of the open action, if more of them follow than actions are opened from `at` on;
 * else -1.
 */
function closingBehind(text: string, at: number): number {
  let open = 0;
  for (const tag of text.slice(at).matchAll(/<\s*(\/?)\s*bolt-?Action(?:[\s/][^>]*)?>/gi)) {
    if (tag[1] === "") open += tag[0].endsWith("/>") ? 0 : 1;
    else if (--open < 0) return at + tag.index;
  }
  return -1;
}

function contentOf(raw: string, isFile: boolean, isWhole: boolean): string {
  if (!isFile) return isWhole ? raw.trim() : raw.trim();
  const body = raw.replace(/^\r?\n/, "");
  if (!isWhole) return body.trimEnd();
  return body.trim() === "" ? "" : body.trimEnd();
}

/**
 * A file's tag, which may be repeated before it is closed: the file restarts there, which no other
 * reader handles.
 */
const FILE_TAG = /<\s*bolt[-_]?action[^>]*?(?:filePath|path)=["']([^"']*)["'][^>]*>/gi;

function beginsAnew(text: string): boolean {
  const tags = [...text.matchAll(FILE_TAG)];
  return tags.some(
    ([, path], at) =>
      tags[at + 1]?.[1] === path &&
      !/<\s*\/\s*bolt[-_]?action\s*>/i.test(text.slice(tags[at]!.index, tags[at + 1]!.index)),
  );
}

/**
 * Whether an action after words on its line is closed before the next one begins, so that it may be
 * executed.
 */
function isBehindWords(text: string): boolean {
  return /[^\s>][^\n]*<\s*bolt[-_]?action\s[^<>]*(?:\/>|>(?:(?!<\s*bolt[-_]?action)[^])*?<\s*\/\s*bolt[-_]?action\s*>)/i.test(
    text,
  );
}

function readArtifacts(text: string): Read {
  const read: Read = { done: [], text: "" };
  let depth = 0;
  const write = (words: string) => {
    if (words.trim() === "" || depth === 2) return;
    depth = 0;
    read.text += words;
  };
  const sayPlain = (words: string) => write(words.replaceAll(LONE_MARKS, ""));
  let at = 0;
  for (let open = first(OPENING, text, at); open; open = first(OPENING, text, at)) {
    const idea = Array.from({ length: open.index - at }, (_, more) => at + more).find((place) => thoughtAt(text, place)); // prettier-ignore
    if (idea !== undefined) {
      sayPlain(text.slice(at, idea));
      const { words, to } = thoughtAt(text, idea)!;
      write(words);
      at = to;
      continue;
    }
    sayPlain(text.slice(at, open.index));
    at = open.index + open[0].length;
    const [tag, kind, attributes = ""] = open;
    if (kind === undefined) {
      if (depth === 0) write(tag);
      depth = 0;
    } else if (kind.toLowerCase() === "artifact") depth = 2;
    // In a sentence it is only mentioned.
    else if (
      depth === 0 &&
      /[^\s][^\n]*$/.test(text.slice(text.lastIndexOf("\n", open.index) + 1, open.index))
    )
      write(tag);
    else {
      if (depth === 0) depth = 1;
      const value = (name: string) => new RegExp(`${name}=["']([^"']*)`).exec(attributes)?.[1];
      const path = value("filePath") ?? value("path");
      const declared = value("type") ?? "file";
      const type = { create: "file", bash: "shell" }[declared] ?? declared;
      const isFile = type === "file" || value("operation") === "migration";
      const selfClosing = attributes.endsWith("/");
      const found = selfClosing ? { from: at, to: at, next: at } : endOf(text, at, isFile, tag);
      const end = found?.to === undefined ? undefined : found;
      const isRefused = isFile && (path === undefined || path.startsWith("/etc"));
      read.done.push([
        type,
        isRefused ? undefined : path?.replace(/^\//, ""),
        contentOf(text.slice(found?.from ?? at, end?.to), isFile, end !== undefined),
        end !== undefined && !isRefused,
        end && "implied" in end,
      ]);
      at = end?.next ?? text.length;
      if (!end) depth = 2;
    }
  }
  for (let place = at; place < text.length; place++) {
    const idea = thoughtAt(text, place);
    if (!idea) continue;
    sayPlain(text.slice(at, place));
    write(idea.words);
    at = idea.to;
    place = at - 1;
  }
  sayPlain(text.slice(at));
  return { ...read, text: bare(read.text) };
}

export function checkArtifactAnswers(seed: number): string | undefined {
  const random = new Random(seed);
  const text = artifactAnswer(random);
  if (beginsAnew(text) || isBehindWords(text)) return undefined;
  const expected = readArtifacts(text);
  const uncut = [text];
  for (const pieces of [uncut, random.cut(text), text.split("")]) {
    const got: Read = { done: [], text: "" };
    const parser = createLenientArtifactParser({
      onEvent(event) {
        if (event.type === "text") got.text += event.text;
        if (event.type !== "action-close") return;
        const { actionType, filePath, content, complete, endImplied } = event;
        const body = content.trimEnd();
        got.done.push([actionType, filePath, body, complete, complete || endImplied ? endImplied === true : undefined]); // prettier-ignore
      },
    });
    for (const piece of pieces) parser.write(piece);
    parser.end();
    const norm = ({ done, text: words }: Read) => ({
      done: (done as unknown[][]).map(([type, path, content, complete, implied]) => [type, path, content, complete, implied === true]), // prettier-ignore
      // A meaningless mark may remain where a chunk ends in it.
      text: bare(words.replaceAll(LONE_MARKS, "")),
    });
    const wrong = differs(norm(got), norm(expected));
    if (wrong) return `${wrong} of ${JSON.stringify(text)} in ${pieces.length} pieces`;
  }
  return undefined;
}

const TOOLS = { write_file: ["path", "content"], read_file: ["path"], run: ["command"] };
/** A call in another spelling. */
const FOREIGN = '<tool_call>\n{"name": "run", "arguments": {"command": "ls"}}\n</tool_call>\n';
/** The same call in the markup of other templates, and bare. */
const ARGUMENTS = '{"command": "ls"}';
const JSON_CALL = `{"name": "run", "arguments": ${ARGUMENTS}}`;
const SPELLINGS = [
  FOREIGN,
  `<tool_call>\n${JSON_CALL}\n<tool_call>\n`,
  "<function=run>\n<parameter=command>\nls\n</parameter>\n</function>\n",
  `<tools>\n[${JSON_CALL}]\n</tools>\n`,
  `[TOOL_REQUEST]\n${JSON_CALL}\n[END_TOOL_REQUEST]\n`,
  `<|tool_call_start|>[run(command="ls")]<|tool_call_end|>\n`,
  `<|START_ACTION|>[{"tool_name": "run", "parameters": ${ARGUMENTS}}]<|END_ACTION|>\n`,
  `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>run\n\`\`\`json\n${ARGUMENTS}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>\n`,
  `<|start|>assistant<|channel|>commentary to=functions.run <|constrain|>json<|message|>${ARGUMENTS}<|call|>\n`,
  `${JSON_CALL}\n`,
  `[run(command="ls")]\n`,
];
const inTags = (text: string) => SPELLINGS.reduce((all, one) => all.replaceAll(one, IN_TAGS), text);
/** The same call in tags. */
const IN_TAGS = "<run>\n<command>ls</command>\n</run>\n";
const VALUE_LINES = [...LINES.filter((line) => !line.includes("`")), "x </content> y", "<i>"];

/** Calls with what models add inside and around them. */
function toolAnswer(random: Random): string {
  const between = () => random.pick(["\n", "", "\n", "\nwords between\n", "<line_count>1</line_count>\n", "</run>\n"]); // prettier-ignore
  // An unclosed call takes the following fence for its own text, so only the last is left open.
  const write = (end = "</write_file>") =>
    `<write_file>${random.pick(["\n", "", "\n<args>\n<file>\n"])}<path>a.ts</path>${between()}<content>\n${someLines(random, VALUE_LINES)}</content>${between()}${end}\n`;
  const run = () => `<run>\n<command>${random.pick(["ls", "npm i && npm test"])}</command>${between()}</run>\n`; // prettier-ignore
  const prose = () => someLines(random, [...WORDS, "use <run> for it", ""]);
  const fenced = () =>
    `${random.pick(["Okay.\n", "For example:\n", ""])}\`\`\`${random.pick(["", "xml", "tool_use"])}\n${random.pick(["", "", "so\n"])}${random.pick([run, () => write(), () => FOREIGN])()}${random.pick(["", "", "so\n"])}\`\`\`\n`;
  const last = random.pick(["", "", write(""), `${write("")}${run()}`]);
  const foreign = () => `\n${random.pick(SPELLINGS)}`;
  const thoughts = () => thought(random, "<run>\n<command>no</command>\n</run>\n");
  const parts = Array.from({ length: 1 + random.below(4) }, () =>
    random.pick([() => write(), run, foreign, prose, fenced, thoughts])(),
  );
  return parts.join("") + last;
}

/** One call at a position of a text, and its end; undefined if none begins there. */
function callAt(text: string, at: number): { call: unknown[]; to: number } | undefined {
  const name = /^<(write_file|read_file|run)>/.exec(text.slice(at))?.[1] as keyof typeof TOOLS | undefined; // prettier-ignore
  if (!name) return undefined;
  const params = TOOLS[name].join("|");
  const begins = new RegExp(`^<${name}>\\s*(?:<\\w+>\\s*)*?(?=<(?:${params})>|</${name}>)`).exec(text.slice(at)); // prettier-ignore
  if (!begins) return undefined;
  const values: Record<string, string> = {};
  let from = at + begins[0].length;
  for (;;) {
    // The end of another tool also closes it, unless more of the call follows.
    const stray = name === "run" ? null : /^\s*<\/run>/.exec(text.slice(from));
    const behind = from + (stray?.[0].length ?? 0);
    if (stray && !new RegExp(`^\\s*<(?:${params}|/${name})>`).test(text.slice(behind)))
      return { call: [name, values, true], to: behind };
    const tag = first(new RegExp(`<(${params})>|(</${name}>)|<(?:write_file|read_file|run)>`, "g"), text, from); // prettier-ignore
    if (!tag) return { call: [name, values, false], to: text.length };
    if (tag[2]) return { call: [name, values, true], to: tag.index + tag[0].length };
    if (!tag[1]) return { call: [name, values, false], to: tag.index };
    const value = valueAt(text, tag.index + tag[0].length, tag[1], name, params);
    values[tag[1]] = value.text;
    from = value.to;
    if (value.cut) return { call: [name, values, false], to: from };
  }
}

/**
 * A value ends at the closing tag that is followed by a part of the call; an earlier such tag was
 * content.
 */
function valueAt(text: string, from: number, param: string, name: string, params: string): { text: string; to: number; cut?: true } {
  const close = `</${param}>`;
  for (let end = text.indexOf(close, from); end !== -1; end = text.indexOf(close, end + 1)) {
    const behind = end + close.length;
    const value = text.slice(from, end).trim();
    // The end of another tool is ignored between the parts of a call.
    const ends = `${params}|/${name}|write_file|read_file|/?run`;
    if (new RegExp(`^\\s*<(?:${ends})>`).test(text.slice(behind))) return { text: value, to: behind };
    const again = text.indexOf(close, behind);
    const excess = first(new RegExp(`</(?:${name}|run)>`, "g"), text, behind)?.index ?? -1;
    const other = first(/(?<=\n[ \t]*)<(?:write_file|read_file|run)>/g, text, behind)?.index ?? -1;
    const nearest = Math.min(...[again, excess, other].filter((place) => place !== -1));
    if (nearest === again) continue;
    if (nearest === excess) return { text: value, to: behind };
    return { text: value, to: behind, cut: true };
  }
  return { text: text.slice(from).trim(), to: text.length, cut: true };
} // prettier-ignore

function readCalls(text: string, inFence = false): Read | undefined {
  const read: Read = { done: [], text: "" };
  /** A fence whose language says that it contains calls is transparent. */
  let isNamed = false;
  for (let at = 0; at < text.length;) {
    const fence = /^```[^`\n]*\n/.exec(text.slice(at))?.[0];
    const isLineStart = at === 0 || text[at - 1] === "\n";
    if (isLineStart && /^```\s*\n/.test(text.slice(at)) && inFence) return { ...read, text: `${at}` };
    if (isLineStart && isNamed && /^```\s*\n/.test(text.slice(at))) {
      isNamed = false;
      at += 3;
      continue;
    }
    if (isLineStart && fence && !inFence && !isNamed) {
      const lastLine = text.slice(0, at).trimEnd().split("\n").at(-1)!;
      isNamed = /^```tool_use\n\s*</.test(text.slice(at)) && !/example/.test(lastLine);
      if (isNamed) {
        at += fence.length;
        continue;
      }
      const inside = /example/.test(lastLine) ? undefined : readCalls(text.slice(at + fence.length), true);
      const length = inside ? Number(inside.text) : Math.max(0, text.slice(at + fence.length).search(/^```\s*\n/m));
      if (inside && inside.done.length > 0) read.done.push(...inside.done);
      else read.text += text.slice(at, at + fence.length + length + 3);
      at += fence.length + length + 3;
      continue;
    }
    const idea = inFence ? undefined : thoughtAt(text, at);
    if (idea) {
      read.text += idea.words;
      at = idea.to;
      continue;
    }
    const mark = inFence ? undefined : first(LONE_MARKS, text, at);
    if (mark?.index === at) {
      at += mark[0].length;
      continue;
    }
    const found = callAt(text, at);
    if (found) {
      read.done.push(found.call);
      at = found.to;
    } else {
      if (inFence && text[at]!.trim() !== "") return undefined;
      read.text += text[at++];
    }
  }
  return inFence ? { ...read, text: `${text.length}` } : { ...read, text: bare(read.text) };
} // prettier-ignore

export function checkToolAnswers(seed: number): string | undefined {
  const random = new Random(seed);
  const text = toolAnswer(random);
  const expected = readCalls(inTags(text))!;
  for (const pieces of [[text], random.cut(text), text.split("")]) {
    const got: Read = { done: [], text: "" };
    const parser = createUnfencedToolTagParser({
      tools: TOOLS,
      onEvent(event) {
        if (event.type === "text") got.text += event.text;
        if (event.type !== "tool-close") return;
        const trimmed = Object.entries(event.params).map(([key, value]) => [key, value.trim()]);
        got.done.push([event.name, Object.fromEntries(trimmed), event.complete]);
      },
    });
    for (const piece of pieces) parser.write(piece);
    parser.end();
    // An unclosed tag before the next call may stay as text. The two readers treat the rest of an
    // abandoned call differently.
    const isCut = (expected.done as unknown[][]).some(([, , complete]) => complete === false);
    const wrong = differs(isCut ? got.done : { ...got, text: bare(inTags(got.text)).replaceAll("<tool_call>", "") }, isCut ? expected.done : expected); // prettier-ignore
    if (wrong) return `${wrong} of ${JSON.stringify(text)} in ${pieces.length} pieces`;
  }
  return undefined;
}

/** Checks for the readers of real answers. */
export const ANSWER_CHECKS = { checkArtifactAnswers, checkToolAnswers };

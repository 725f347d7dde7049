/**
 * Checks that every character of a message is output once, in order, or is dropped by a declared
 * difference: inside a tag, between the actions of an artifact, between the parameters of a tool,
 * or in an unknown `<invoke>`. White space at the ends of contents is ignored. Works with numbered
 * marks in random messages.
 */
import { createArtifactParser } from "../artifact/parse.ts";
import type { ArtifactEvent } from "../artifact/types.ts";
import { ARTIFACT } from "./artifact.test-support.ts";
import { Random } from "./random.test-support.ts";
import { TAGS, TOOLS } from "./tool-tags.test-support.ts";
import { createToolTagParser } from "../tool-tags/parse.ts";
import type { ToolTagEvent } from "../tool-tags/types.ts";

const MARK = /#\d+;/g;

const FILE = ['<boltAction type="file" filePath="a.ts">', "\n", " x ", "</boltAction>", "\n"];
const SHELL = ['<boltAction type="shell">', " x ", "</boltAction>", " "];
const ARTIFACT_MESSAGES = [
  ['<boltArtifact id="i" title="t">', "\n", ...FILE, ...SHELL, "</boltArtifact>", "\n"],
  ["so ", ...FILE, ...FILE, "and ", ...SHELL],
  ["a ", "`", "b", "`", "\n", "```ts\n", "c", "\n", "```\n", "<think>", "d", "</think>"],
];
const CONTENT = ["<content>", "\n", "x ", "</content>", "\n"];
const TOOL_MESSAGES = [
  ["<write_file>", "\n", "<path>", "a", "</path>", "\n", ...CONTENT, "</write_file>", "\n"],
  ["<run>", "<command>", "x", "</command>", "</run>", "so ", "<read_file>", "<path>", "y", "</path>"],
  ["<function_calls>", '<invoke name="run">', '<parameter name="command">', "x", "</parameter>", "</invoke>"],
  ['<invoke name="none">', "x", "</invoke>", "`", "b", "`", "```ts\n", "c", "\n", "```\n"],
]; // prettier-ignore

/** The output so far, and whether the next text may be dropped. */
interface Account {
  out: string;
  /** Decides by the events, and by the text read so far. */
  drops(read: string): boolean;
  /** Whether an error announced that held text is dropped. */
  heldDropped: boolean;
  /** An action may have ended where another one began, so text was held until that was decided. */
  wasHeld: boolean;
}

export function checkArtifactAccount(seed: number): string | undefined {
  const random = new Random(seed);
  // Text between quick actions is dropped, and no event shows where their list is open.
  const fragments = ARTIFACT.filter((fragment) => !fragment.includes("quick"));
  const message = marked(random, fragments, ARTIFACT_MESSAGES);
  let opened: "written" | "implied" | undefined;
  let inAction = false;
  let implied = false;
  let last = "";
  const account: Account = {
    out: "",
    drops: (read) => (opened === "written" && !inAction) || isInTag(read, /<boltA[a-z]+/gi),
    heldDropped: false,
    wasHeld: false,
  };
  const onEvent = (event: ArtifactEvent) => {
    if (event.type === "text" || event.type === "action-delta") account.out += event.text;
    else if (event.type === "artifact-open") {
      opened = "written";
      // Text held after an implied end belongs to the artifact that began there.
      account.heldDropped ||= implied;
    } else if (event.type === "artifact-close") opened = undefined;
    else if (event.type === "action-open") {
      // A written artifact's tag ends before its action's.
      if (last === "artifact-open") opened = "implied";
      inAction = true;
    } else if (event.type === "action-close") {
      inAction = false;
      // Text held as possible content turned out to lie between the actions.
      account.heldDropped ||= opened === "written";
      implied = event.endImplied === true;
      account.wasHeld ||= implied || /<bolt/i.test(event.content);
    }
    last = event.type;
  };
  const parser = createArtifactParser({ onEvent });
  return accountOf(message, parser, account, () => (last = ""));
}

export function checkToolTagAccount(seed: number): string | undefined {
  const random = new Random(seed);
  const message = marked(random, TAGS, TOOL_MESSAGES);
  let inTool = false;
  let inParam = false;
  let unknown = false;
  const account: Account = {
    out: "",
    drops(read) {
      if (/<\/(?:invoke|function_calls)\s*>[^<]*$/.test(read)) unknown = false;
      return unknown || (inTool && !inParam) || isInTag(read, /<(?:invoke|parameter)/g);
    },
    heldDropped: false,
    wasHeld: false,
  };
  const onEvent = (event: ToolTagEvent) => {
    if (event.type === "text" || event.type === "param-delta") account.out += event.text;
    else if (event.type === "tool-open" || event.type === "tool-close")
      inTool = event.type === "tool-open";
    else if (event.type === "error") unknown ||= event.code === "unknown-tool";
    else {
      inParam = event.type === "param-open";
      // Text held as a possible value turned out to follow it.
      account.heldDropped ||= event.type === "param-close";
    }
  };
  return accountOf(message, createToolTagParser({ tools: TOOLS, onEvent }), account);
}

/** Complete messages with insertions, omissions, and marks in between. */
function marked(
  random: Random,
  fragments: readonly string[],
  messages: readonly (readonly string[])[],
): string {
  let marks = 0;
  const out: string[] = [];
  const put = (fragment: string) => {
    out.push(fragment);
    if (random.below(3) === 0) out.push(`#${marks++};`);
  };
  for (let count = random.below(5); count > 0; count--)
    for (const fragment of random.pick(messages)) {
      if (random.below(6) === 0) put(random.pick(fragments));
      if (random.below(12) > 0) put(fragment);
    }
  return out.join("");
}

function accountOf(
  message: string,
  parser: { write(chunk: string): void; end(): void },
  account: Account,
  afterEach: () => void = () => {},
): string | undefined {
  /** Marks that may be missing, and marks read but neither output nor dropped yet. */
  const droppable = new Set<string>();
  let held: string[] = [];
  let read = "";
  const settle = () => {
    held = held.filter((mark) => !account.out.includes(mark));
    if (account.heldDropped) for (const mark of held) droppable.add(mark);
    account.heldDropped = false;
  };
  for (const character of message) {
    read += character;
    parser.write(character);
    settle();
    afterEach();
    const mark = character === ";" ? /#\d+;$/.exec(read)?.[0] : undefined;
    if (mark === undefined) continue;
    if (account.drops(read)) droppable.add(mark);
    else held.push(mark);
  }
  parser.end();
  account.heldDropped ||= account.wasHeld;
  settle();
  const given: readonly string[] = account.out.match(MARK) ?? [];
  const expected = (message.match(MARK) ?? []).filter(
    (mark) => given.includes(mark) || !droppable.has(mark),
  );
  return given.join("") === expected.join("")
    ? undefined
    : `of ${JSON.stringify(message)} came ${given.join("")}, not ${expected.join("")}`;
}

/** Whether an opening tag is not closed yet: quotes hide its end. */
function isInTag(read: string, opening: RegExp): boolean {
  return [...read.matchAll(opening)].some(({ index, 0: head }) => {
    const behind = read.slice(index + head.length);
    return !behind.replace(/"[^"]*(?:"|$)|'[^']*(?:'|$)/g, "").includes(">");
  });
}

export const ACCOUNT_CHECKS = { checkArtifactAccount, checkToolTagAccount };

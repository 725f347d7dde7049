import {
  WANTS,
  type VerdictCase,
  type VerdictStep,
  type VerdictTurn,
  type Want,
} from "./case-types.ts";

/** Templates that a case may begin with; without one its files are all there is. */
const NO_TEMPLATE = "nothing";
/** Marks a file that must not exist. */
const GONE = "(gone)\n";

interface Section {
  facts: Map<string, string>;
  files: Map<string, string>;
  /** What was asked for, and the check that shows it. */
  asked: { what: string; check: string }[];
  commands: string[];
}

interface Written {
  name: string;
  turns: Section[];
}

/**
 * Reads cases from Markdown, in which an app's files can be read as files.
 *
 *     ## todo
 *     want: proven
 *     on: react
 *     prompt: A to-do list.
 *     asked: adding a task -> Adds a task
 *
 *     ~~~file src/App.tsx
 *     …
 *     ~~~
 *
 * `### then` begins a further message of the person. `like: NAME` takes what an earlier case says, and what this
 * one says replaces it. `run: COMMAND` runs a command before the server starts, `seed: yes` lays the files into the
 * folder instead of having the model write them. Other facts: `args`, `timeout` (seconds), `finds` and `lacks` (codes),
 * `untouched` (files), `looks`, `told`, `needs`.
 * @throws where a line is not understood, with its number
 */
export function readWritten(text: string, file: string): VerdictCase[] {
  const cases = new Map<string, Written>();
  let section: Section | undefined;
  let current: Written | undefined;
  /** The request is inherited from an earlier case unless this one specifies it. */
  let inherits = false;
  let fence: { path: string; lines: string[] } | undefined;
  text.split(/\r?\n/).forEach((line, index) => {
    const fail = (why: string): never => {
      throw new Error(`${file}:${index + 1}: ${why}`);
    };
    if (fence) {
      if (line !== "~~~") return void fence.lines.push(line);
      const content = `${fence.lines.join("\n")}\n`;
      // What an earlier case writes is not written; what a template brings is deleted.
      if (content === GONE && section?.files.has(fence.path)) section.files.delete(fence.path);
      else section?.files.set(fence.path, content);
      fence = undefined;
      return;
    }
    const opened = /^~~~file (\S+)$/.exec(line)?.[1];
    if (opened !== undefined) {
      fence = { path: opened, lines: [] };
      return;
    }
    const heading = /^## (\S+)$/.exec(line)?.[1];
    if (heading !== undefined) {
      section = { facts: new Map(), files: new Map(), asked: [], commands: [] };
      current = { name: heading, turns: [section] };
      inherits = false;
      if (cases.has(heading)) fail(`there is a case ${heading} already`);
      cases.set(heading, current);
      return;
    }
    if (line === "### then") {
      section = { facts: new Map(), files: new Map(), asked: [], commands: [] };
      (current ?? fail("it belongs to no case")).turns.push(section);
      return;
    }
    const [, key, value = ""] = /^([a-z]+):\s*(.*)$/.exec(line) ?? [];
    if (key === undefined || !section) {
      if (section && line.trim() !== "" && !line.startsWith("> ")) fail(`“${line}” is no fact`);
      return;
    }
    if (key === "asked") {
      const [what, check] = value.split(" -> ");
      if (what === undefined || check === undefined) return fail("asked: WHAT -> CHECK");
      if (inherits) section.asked = [];
      inherits = false;
      section.asked.push({ what, check });
    } else if (key === "run") section.commands.push(value);
    else if (key === "like") {
      const base = cases.get(value) ?? fail(`there is no case ${value} before`);
      const [first, ...rest] = base.turns.map(copyOf);
      Object.assign(section, first, { facts: new Map([...first!.facts, ...section.facts]) });
      current!.turns = [section, ...rest];
      inherits = true;
    } else section.facts.set(key, value);
  });
  if (fence) throw new Error(`${file}: ${fence.path} is not closed`);
  return [...cases.values()].map((written) => caseOf(written, file));
}

const copyOf = ({ facts, files, asked, commands }: Section): Section => ({
  facts: new Map(facts),
  files: new Map(files),
  asked: [...asked],
  commands: [...commands],
});

function caseOf({ name, turns }: Written, file: string): VerdictCase {
  const [first, ...more] = turns;
  const { facts, files } = first!;
  const want = wantOf(first!) ?? missing(file, name, "want");
  const list = (key: string) =>
    facts
      .get(key)
      ?.split(/,\s*/)
      .filter((code) => code !== "");
  const seeded = facts.get("seed") === "yes";
  return {
    name,
    want,
    ...turnOf(first!, { isFirst: true, seeded, file, name }),
    ...(seeded && { seed: Object.fromEntries(files) }),
    ...(facts.has("args") && { args: facts.get("args")!.split(" ") }),
    ...(facts.has("timeout") && { timeout: Number(facts.get("timeout")) }),
    ...(facts.has("told") && { told: facts.get("told") }),
    ...(facts.has("looks") && { looks: Number(facts.get("looks")) }),
    ...(facts.has("needs") && { needs: facts.get("needs") as "postgres" }),
    ...(facts.has("finds") && { finds: list("finds") }),
    ...(facts.has("lacks") && { lacks: list("lacks") }),
    ...(facts.has("untouched") && { untouched: list("untouched") }),
    ...(more.length > 0 && {
      more: more.map((turn) => ({
        ...turnOf(turn, { isFirst: false, seeded: false, file, name }),
        ...(wantOf(turn) && { want: wantOf(turn) }),
      })),
    }),
  };
}

function wantOf({ facts }: Section): Want | undefined {
  const want = facts.get("want");
  if (want === undefined) return undefined;
  if (!(want in WANTS)) throw new Error(`${want} is nothing that can be wanted`);
  return want as Want;
}

function turnOf(
  { facts, files, asked, commands }: Section,
  how: { isFirst: boolean; seeded: boolean; file: string; name: string },
): VerdictTurn {
  const prompt = facts.get("prompt") ?? missing(how.file, how.name, "prompt");
  const template = facts.get("on") ?? NO_TEMPLATE;
  const calls: VerdictStep["calls"] = [];
  if (how.isFirst && template !== NO_TEMPLATE)
    calls.push({ name: "use_template", input: { template } });
  if (!how.seeded)
    for (const [path, content] of files)
      calls.push(
        content === GONE
          ? { name: "delete_file", input: { path } }
          : { name: "write_file", input: { path, content } },
      );
  for (const command of commands) calls.push({ name: "run_command", input: { command } });
  const done = { done: "It is built.", try: "Open it.", ...(asked.length > 0 && { asked }) };
  const finish: VerdictStep = { text: "Done.", calls: [{ name: "finish", input: done }] };
  return { prompt, steps: calls.length > 0 ? [{ text: "Working.", calls }, finish] : [finish] };
}

function missing(file: string, name: string, key: string): never {
  throw new Error(`${file}: ${name} has no ${key}`);
}

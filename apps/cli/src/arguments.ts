import { parseArgs } from "node:util";

/** What the command line asked for, checked; or the sentence that says what was wrong with it. */
export type Command =
  | { kind: "serve"; port?: number; host: string; data?: string; unsafe: boolean; open: boolean }
  | {
      kind: "run";
      prompt: string;
      dir?: string;
      model?: string;
      /** In place of `model` where it only plans; kept with the project. */
      planModel?: string;
      dialect?: "native" | "artifact" | "tags";
      maxSteps?: number;
      maxCost?: number;
      timeoutMs?: number;
      /** What is asked about; nobody is there to answer, so a question ends the run. */
      approve?: "ask" | "safe" | "auto";
      /** Rules and skills hold as they stand, whoever changed them. */
      acceptRules: boolean;
      /** Hosts outside that the project may reach from now on. */
      allowHosts: string[];
      plan: boolean;
      json: boolean;
      data?: string;
      unsafe: boolean;
    }
  | {
      kind: "parse";
      file?: string;
      dialect: "artifact" | "tags";
      dir?: string;
      json: boolean;
      /** To the letter: fences and escapes that models put around things are content. */
      exact: boolean;
    }
  | {
      kind: "check";
      dir: string;
      /** The folder that the report is written to; absent: none is. */
      report?: string;
      timeoutMs?: number;
      allowHosts: string[];
      json: boolean;
      data?: string;
      unsafe: boolean;
    }
  | { kind: "backup" | "restore"; file: string; data?: string }
  | { kind: "doctor"; data?: string; attacks: boolean }
  | { kind: "help" }
  | { kind: "wrong"; message: string };

const OPTIONS = {
  port: { type: "string" },
  host: { type: "string" },
  data: { type: "string" },
  dir: { type: "string" },
  model: { type: "string" },
  "plan-model": { type: "string" },
  dialect: { type: "string" },
  "max-steps": { type: "string" },
  "max-cost": { type: "string" },
  timeout: { type: "string" },
  approve: { type: "string" },
  "accept-rules": { type: "boolean" },
  "allow-host": { type: "string", multiple: true },
  plan: { type: "boolean" },
  json: { type: "boolean" },
  report: { type: "string" },
  exact: { type: "boolean" },
  "no-open": { type: "boolean" },
  "unsafe-no-sandbox": { type: "boolean" },
  attacks: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Which options each command takes; any other is refused by name rather than ignored. */
const TAKEN: Record<string, string[]> = {
  serve: ["port", "host", "data", "no-open", "unsafe-no-sandbox"],
  run: "dir model plan-model dialect max-steps max-cost timeout approve accept-rules allow-host plan json data unsafe-no-sandbox".split(
    " ",
  ),
  parse: ["dialect", "dir", "json", "exact"],
  check: ["report", "timeout", "allow-host", "json", "data", "unsafe-no-sandbox"],
  backup: ["data"],
  restore: ["data"],
  doctor: ["data", "attacks"],
};

const wrong = (message: string): Command => ({ kind: "wrong", message });

/** Reads the words after `treadle`. Never throws. */
export function readArguments(words: string[]): Command {
  let parsed;
  try {
    parsed = parseArgs({ args: words, options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    return wrong(misread((error as Error).message));
  }
  const { values, positionals } = parsed;
  if (values.help) return { kind: "help" };
  const [name = "serve", ...rest] = positionals;
  const taken = TAKEN[name];
  if (name === "help") return { kind: "help" };
  if (!taken)
    return wrong(
      `There is no command “${name}”. The commands are serve, run, check, parse, backup, restore and doctor.`,
    );
  const foreign = Object.keys(values).find((option) => !taken.includes(option));
  if (foreign) return wrong(`“${name}” takes no option --${foreign}.`);

  const numbers: Record<string, number> = {};
  for (const option of ["port", "max-steps", "max-cost", "timeout"] as const) {
    const text = values[option];
    if (text === undefined) continue;
    const number = text.trim() === "" ? Number.NaN : Number(text);
    const whole = option === "port" || option === "max-steps";
    const least = option === "port" ? 0 : Number.MIN_VALUE;
    const most = option === "port" ? 65_535 : Number.MAX_SAFE_INTEGER;
    if (!(number >= least && number <= most) || (whole && !Number.isInteger(number)))
      return wrong(
        `--${option} takes a number${option === "port" ? " from 0 to 65535" : " above 0"}, not “${text}”.`,
      );
    numbers[option] = number;
  }

  // A variable that is not set must not become the current folder.
  if (values.dir === "") return wrong("--dir takes a folder; “.” is the current one.");

  switch (name) {
    case "serve":
      if (rest.length > 0) return wrong(`“serve” takes no further words, but got “${rest[0]}”.`);
      return {
        kind: "serve",
        port: numbers.port,
        host: values.host ?? "127.0.0.1",
        data: values.data,
        unsafe: values["unsafe-no-sandbox"] ?? false,
        open: !values["no-open"],
      };
    case "run": {
      const prompt = rest.join(" ").trim();
      if (prompt === "")
        return wrong('Say what to build: treadle run "Build a todo app". Nothing was started.');
      const { dialect } = values;
      if (dialect !== undefined && !isDialect(dialect))
        return wrong(`--dialect is native, artifact or tags, not “${dialect}”.`);
      const { approve } = values;
      if (approve !== undefined && approve !== "ask" && approve !== "safe" && approve !== "auto")
        return wrong(`--approve is ask, safe or auto, not “${approve}”.`);
      return {
        kind: "run",
        prompt,
        dir: values.dir,
        model: values.model,
        planModel: values["plan-model"],
        dialect,
        maxSteps: numbers["max-steps"],
        maxCost: numbers["max-cost"],
        timeoutMs: numbers.timeout === undefined ? undefined : numbers.timeout * 1000,
        approve,
        acceptRules: values["accept-rules"] ?? false,
        allowHosts: values["allow-host"] ?? [],
        plan: values.plan ?? false,
        json: values.json ?? false,
        data: values.data,
        unsafe: values["unsafe-no-sandbox"] ?? false,
      };
    }
    case "parse": {
      const dialect = values.dialect ?? "artifact";
      if (dialect !== "artifact" && dialect !== "tags")
        return wrong(`--dialect is artifact or tags, not “${dialect}”.`);
      if (rest.length > 1) return wrong("“parse” reads one file, or standard input.");
      return {
        kind: "parse",
        file: rest[0],
        dialect,
        dir: values.dir,
        json: values.json ?? false,
        exact: values.exact ?? false,
      };
    }
    case "check":
      if (rest.length > 1) return wrong("“check” takes one folder; without one it is this one.");
      if (values.report === "") return wrong("--report takes a folder; “.” is the current one.");
      return {
        kind: "check",
        dir: rest[0] ?? ".",
        report: values.report,
        timeoutMs: numbers.timeout === undefined ? undefined : numbers.timeout * 1000,
        allowHosts: values["allow-host"] ?? [],
        json: values.json ?? false,
        data: values.data,
        unsafe: values["unsafe-no-sandbox"] ?? false,
      };
    case "backup":
    case "restore": {
      const [file, more] = rest;
      if (!file || more !== undefined)
        return wrong(`“${name}” takes one file: treadle ${name} treadle.tar.gz.`);
      return { kind: name, file, data: values.data };
    }
    default:
      if (rest.length > 0) return wrong(`“doctor” takes no further words, but got “${rest[0]}”.`);
      return { kind: "doctor", data: values.data, attacks: values.attacks ?? false };
  }
}

/** Node's own words: the first sentence, and for a value that begins with a dash how to write it. */
function misread(message: string): string {
  const option = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument is ambiguous/.exec(message)?.[1];
  if (option) return `${option} takes a value; one that begins with a dash is written ${option}=….`;
  return `${message.split(/\.\s/)[0]?.replace(/\.$/, "")}.`;
}

function isDialect(name: string): name is "native" | "artifact" | "tags" {
  return name === "native" || name === "artifact" || name === "tags";
}

import type { Workspace } from "../types.ts";

/** Where the attempts are made from, and what there is to be had. */
export interface AttackPlace {
  /** A key in the environment of the server's process. */
  secret: string;
  /** The server's process, and its home folder. */
  pid: number;
  home: string;
  /** Another project's folder on the host; its `private.txt` holds `otherSecret`. */
  otherDirectory: string;
  otherSecret: string;
  /** Names in the other project as it is now. */
  listOther(): Promise<string[]>;
  /** The host's state of the attacker's project, of which nothing may be visible inside. */
  stateDirectory: string;
  /** A service of the host listens on this port of all these addresses. */
  servicePort: number;
  addresses: readonly string[];
  published: PublishedPlace;
}

/** Two published apps, of which one is hostile. */
export interface PublishedPlace {
  /** A release of the attacker's project, and one of another's; absent where only names are wanted. */
  from?: Workspace;
  neighbourWorkspace?: Workspace;
  /** On the host, absolute: the files of the attacker's project; its `worked-on.txt` holds `workedOn`. */
  project: string;
  workedOn: string;
  /** The same of the other release; its `data/app.db` holds `otherSecret`. */
  neighbour: string;
  /** Where the other app listens, in its sandbox. */
  neighbourPort: number;
  /** A socket of the host in the abstract namespace, without its NUL. */
  abstractSocket: string;
}

/** Attempts of hostile code as data: the test suite runs them on every driver, and a command prints their results. */
export interface Attempt {
  /** Of the list of attacks; empty where that list has no number for it. */
  id: string;
  area:
    | "read"
    | "write"
    | "files"
    | "trust"
    | "privilege"
    | "kernel"
    | "guest"
    | "browser"
    | "taken"
    | "maker"
    | "published"
    | "tool"
    | "connect"
    | "exhaust";
  /** What is tried, in a few words. */
  what: string;
  /** A shell command that is run inside; or more than that. What either says is judged. */
  act: string | ((workspace: Workspace) => Promise<string>);
  /** The attempt was made if its output matches this. */
  always?: RegExp;
  /** The attempt was contained if its output does not match this. */
  never?: RegExp;
}

/** `untried`: a required program is missing. */
export interface AttemptResult {
  outcome: "held" | "through" | "untried";
  /** The attempt's output, shortened. */
  output: string;
}

/** The output of an attempt that could not be made. */
export const NOT_TRIED = "NOT TRIED";

const QUIET_MS = 20_000;
const TIME_MS = 60_000;
const OUTPUT_KEPT = 4_000;

/** Makes one attempt for real. Never rejects: the error of a failed call becomes its output. */
export async function makeAttempt(attempt: Attempt, workspace: Workspace): Promise<AttemptResult> {
  const { act, always, never } = attempt;
  let output: string;
  try {
    output =
      typeof act === "function"
        ? await act(workspace)
        : (await workspace.run(act, { quietMs: QUIET_MS, timeoutMs: TIME_MS })).output;
  } catch (error) {
    output = (error as Error).message;
  }
  const held = (always?.test(output) ?? true) && !(never?.test(output) ?? false);
  const outcome = output.includes(NOT_TRIED) ? "untried" : held ? "held" : "through";
  return { outcome, output: output.slice(0, OUTPUT_KEPT) };
}

/** Any of these texts, as they stand. */
export const literally = (...texts: string[]): RegExp =>
  new RegExp(texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|"));

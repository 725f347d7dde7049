import type { Workspace } from "../types.ts";

/** Where attempts are made from, and their targets. */
export interface AttackPlace {
  /** A key in the environment of the server's process. */
  secret: string;
  /** Pid of the server's process, and its home folder. */
  pid: number;
  home: string;
  /** Another project's folder on the host; its `private.txt` holds `otherSecret`. */
  otherDirectory: string;
  otherSecret: string;
  /** Names of the files that the other project has now. */
  listOther(): Promise<string[]>;
  /** The host's state folder of the attacker's project, which must not be visible in the sandbox. */
  stateDirectory: string;
  /** A service of the host listens on this port of all these addresses. */
  servicePort: number;
  addresses: readonly string[];
  published: PublishedPlace;
}

/** Two published apps, one of them hostile. */
export interface PublishedPlace {
  /** The attacker's release; absent if only the names of attempts are needed. */
  from?: Workspace;
  neighbourWorkspace?: Workspace;
  /**
   * Absolute path on the host of the files of the attacker's project; its `worked-on.txt` contains
   * `workedOn`.
   */
  project: string;
  workedOn: string;
  /** The same for the other release; its `data/app.db` contains `otherSecret`. */
  neighbour: string;
  /** The port of the other app in its sandbox. */
  neighbourPort: number;
  /** Name of a host's socket in the abstract namespace, without its NUL. */
  abstractSocket: string;
}

/** An attempt of hostile code, as data: the test suite runs them on every driver, and a command prints the results. */
export interface Attempt {
  /** Id in the list of attacks; empty if it has none. */
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
  /** A short description of the attempt. */
  what: string;
  /** A shell command to run in the sandbox, or a function; its output decides the outcome. */
  act: string | ((workspace: Workspace) => Promise<string>);
  /** The attempt counts as contained only if its output matches this. */
  always?: RegExp;
  /** The attempt counts as contained only if its output does not match this. */
  never?: RegExp;
}

/** `held`: the attempt was contained; `through`: it was not; `untried`: a required program is missing. */
export interface AttemptResult {
  outcome: "held" | "through" | "untried";
  /** The attempt's output, shortened. */
  output: string;
}

/** Part of the output of an attempt that could not be made. */
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

/** Matches any of these texts literally. */
export const literally = (...texts: string[]): RegExp =>
  new RegExp(texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|"));

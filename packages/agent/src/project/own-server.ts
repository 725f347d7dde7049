import { isAssignment, isBefore } from "./command-words.ts";

/** Maximum number of package scripts that are followed from one to the next. */
const MOST_STEPS = 5;

interface Runner {
  /** Matches the option with which it restarts when a file changes. */
  watching?: RegExp;
  /** The command to use without watching; absent: the same as in the script. */
  as?: string;
  /** Set if its argument is the name of a program and not of a file. */
  isServer?: true;
}

/** Programs that run the project's own code. */
const RUNNERS: Record<string, Runner> = {
  node: { watching: /^--watch(?:-path=\S+|-preserve-output)?$/ },
  nodemon: { as: "node" },
  tsx: { watching: /^(?:--)?watch$|^--clear-screen(?:=\S+)?$/, as: "npx --no-install tsx" },
  "ts-node": { as: "npx --no-install ts-node" },
  bun: { watching: /^--(?:watch|hot)$/ },
  deno: { watching: /^--watch(?:=\S+)?$/ },
  python: {},
  python3: {},
  uvicorn: { watching: /^--reload$/, isServer: true },
  gunicorn: { watching: /^--reload$/, isServer: true },
  flask: { watching: /^--debug$/, isServer: true },
};

const SCRIPT_FILE = /\.(?:[cm]?[jt]sx?|py)$/;

/** Matches build tools, which Node runs as well. */
const IS_TOOL =
  /(?:^|\/)node_modules\/|(?:^|[./-])(?:build|bundle|watch|esbuild|dev-?server)\.[cm]?[jt]s$/i;

/**
 * The command of a server that the project has written itself, without the options that restart it when a file changes.
 * Undefined unless the package script runs exactly that.
 * @param script the text of the package script
 * @param scripts all package scripts, to which it may refer
 */
export function ownServer(
  script: string,
  scripts: Readonly<Record<string, string>>,
): string | undefined {
  const command = resolved(script, scripts);
  // Several commands, a background one, a pipe, or a part that is only known at run time.
  if (/[;&|\n`]|\$\(/.test(command)) return undefined;
  const words = command.trim().split(/\s+/);
  let at = 0;
  while (isBefore(words[at])) at++;
  const name = words[at] ?? "";
  const runner = Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
  if (!runner) return undefined;
  const args = words.slice(at + 1).filter((word) => !runner.watching?.test(word));
  const file = args.find((word) => SCRIPT_FILE.test(word));
  if (!runner.isServer && (file === undefined || IS_TOOL.test(file))) return undefined;
  // With other arguments first, nodemon may run the file with another program.
  if (name === "nodemon" && args[0] !== file) return undefined;
  const before = words.slice(0, at).flatMap((word) => {
    if (word === "cross-env") return "npx --no-install cross-env";
    return isAssignment(word) ? word : [];
  });
  return [...before, runner.as ?? name, ...args].join(" ");
}

/** Whether a package script starts a server that the project has written itself, beside other programs. */
export function startsServerBeside(
  script: string,
  scripts: Readonly<Record<string, string>>,
): boolean {
  const parts = partsOf(resolved(script, scripts), scripts);
  return parts.length > 1 && parts.some((part) => ownServer(part, scripts) !== undefined);
}

/** The text of the script to which a script refers, or its own text. */
export function resolved(script: string, scripts: Readonly<Record<string, string>>): string {
  let command = script.trim();
  for (let left = MOST_STEPS; left > 0; left--) {
    const name = /^(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?([\w:.-]+)$/.exec(command)?.[1];
    const next = name === undefined ? undefined : scripts[name];
    if (next === undefined) break;
    command = next.trim();
  }
  return command;
}

/** The commands that a script runs at the same time. */
function partsOf(command: string, scripts: Readonly<Record<string, string>>): string[] {
  const together = /\b(?:concurrently|run-p|npm-run-all2?\s.*?(?:-p|--parallel))\s+(.*)$/.exec(command)?.[1]; // prettier-ignore
  if (together === undefined) return command.split(/(?<!&)&(?!&)/).map((part) => part.trim());
  const words = [...together.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)];
  return words.flatMap(([, double, single, bare]) => {
    const quoted = double ?? single;
    if (quoted !== undefined) return quoted.replace(/^npm:/, "npm run ");
    const name = bare!.replace(/^npm:/, "");
    if (!name.endsWith("*")) return scripts[name] ?? [];
    const beginning = name.slice(0, -1);
    return Object.keys(scripts).filter((one) => one.startsWith(beginning)).map((one) => scripts[one]!); // prettier-ignore
  });
}

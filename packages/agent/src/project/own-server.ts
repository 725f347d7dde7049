import { isAssignment, isBefore } from "./command-words.ts";

/** Package scripts that lead on to each other. */
const MOST_STEPS = 5;

interface Runner {
  /** The option that makes it restart when a file changes. */
  watching?: RegExp;
  /** How it is called where nothing is watched; absent: as in the script. */
  as?: string;
  /** It serves a program by its name, which is not a file name. */
  isServer?: true;
}

/** What runs a program of the project's own. */
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

/** Tools of a build are programs of Node's too. */
const IS_TOOL =
  /(?:^|\/)node_modules\/|(?:^|[./-])(?:build|bundle|watch|esbuild|dev-?server)\.[cm]?[jt]s$/i;

/**
 * The command of a server that the project has written itself, where a package script comes to one and to nothing else; said
 * without what would start it anew when a file changes.
 * @param script the text of the package script
 * @param scripts all of them, which it may name
 */
export function ownServer(
  script: string,
  scripts: Readonly<Record<string, string>>,
): string | undefined {
  const command = resolved(script, scripts);
  // More than one command, a background one, a pipe, or something that is only known when it runs.
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
  // What it runs, it runs as something else.
  if (name === "nodemon" && args[0] !== file) return undefined;
  const before = words.slice(0, at).flatMap((word) => {
    if (word === "cross-env") return "npx --no-install cross-env";
    return isAssignment(word) ? word : [];
  });
  return [...before, runner.as ?? name, ...args].join(" ");
}

/** Whether a package script starts a server that the project has written itself, beside something else. */
export function startsServerBeside(
  script: string,
  scripts: Readonly<Record<string, string>>,
): boolean {
  const parts = partsOf(resolved(script, scripts), scripts);
  return parts.length > 1 && parts.some((part) => ownServer(part, scripts) !== undefined);
}

/** The text of the script that a script only names, else its own. */
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

/** What runs at the same time. */
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

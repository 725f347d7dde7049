import { isAssignment, isBefore } from "./command-words.ts";

/** Package scripts that lead on to each other. */
const MOST_STEPS = 5;

/** What runs a program of the project's own, and what each is told so that it starts anew when a file changes. */
const RUNNERS: Record<string, RegExp> = {
  node: /^--watch(?:-path=\S+|-preserve-output)?$/,
  nodemon: /^$/,
  tsx: /^(?:--)?watch$|^--clear-screen(?:=\S+)?$/,
  "ts-node": /^$/,
  bun: /^--(?:watch|hot)$/,
  deno: /^--watch(?:=\S+)?$/,
  python: /^$/,
  python3: /^$/,
  uvicorn: /^--reload$/,
  gunicorn: /^--reload$/,
  flask: /^--debug$/,
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
  const runner = words[at] ?? "";
  const watching = Object.hasOwn(RUNNERS, runner) ? RUNNERS[runner]! : undefined;
  if (!watching) return undefined;
  const told = words.slice(at + 1).filter((word) => !watching.test(word));
  const isServer = runner === "uvicorn" || runner === "gunicorn" || runner === "flask";
  const file = told.find((word) => SCRIPT_FILE.test(word));
  if (!isServer && (file === undefined || IS_TOOL.test(file))) return undefined;
  // What it runs, it runs as something else.
  if (runner === "nodemon" && told[0] !== file) return undefined;
  const before = words.slice(0, at).filter((word) => isAssignment(word) || word === "cross-env");
  const called = { nodemon: "node", tsx: "npx --no-install tsx", "ts-node": "npx --no-install ts-node" }[runner] ?? runner; // prettier-ignore
  return [...before.map((word) => (word === "cross-env" ? "npx --no-install cross-env" : word)), called, ...told].join(" "); // prettier-ignore
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

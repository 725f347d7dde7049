import type { ServerState } from "@treadle/protocol";
import { leavesBehind } from "./leaves-behind.ts";
import { inProject, type ProjectFacts } from "./project-facts.ts";
import { takesChanges } from "./takes-changes.ts";

/** The command that starts the app's server. */
export interface ServerCommand {
  command: string;
  /** The text of the package script that the command names, else the command itself. */
  script: string;
  /** The build command, if the server serves a build's output: the current files have to be built first. */
  build?: string;
  /** Whether it is Treadle's own server of files: no request changes anything there. */
  servesFiles?: boolean;
}

/** Matches commands with several processes, which open their ports one after the other. */
const SEVERAL =
  /\b(?:concurrently|npm-run-all|run-p|turbo|wireit|foreman|nx|lerna|overmind)\b|(?<!&)&(?!&)|\s--parallel\b|\bpnpm\s+(?:-r|--recursive)\b|--workspaces\b/;

/** Matches programs that serve a build's output and never the sources. */
const SHOWS_BUILD =
  /\b(?:vite|astro|nuxt|nuxi)\s+preview\b|\bnext\s+start\b|\b(?:serve|sirv|http-server|live-server)\b[^;&|]{0,500}\b(?:dist|build|out|public)\b|\bnode\s+(?:\.\/)?(?:dist|build|out|\.output)\//;

/** What serves a project without a server of its own, and how it is called. */
const FILE_SERVER = "treadle-serve";
const IS_FILE_SERVER = new RegExp(`^${FILE_SERVER}(?:\\s+\\d+)?$`);

/** The command to start if nobody named one: the running command, `dev`, `start`, or the files as they are. */
export function serverCommand(
  facts: ProjectFacts,
  running: ServerState | undefined,
): ServerCommand | undefined {
  const scripts = facts.manifest?.scripts ?? {};
  // A command line that does more than serve ends by itself; the project's scripts are what others will run.
  const inside = (text: string) => text.replace(inProject(facts, ""), "");
  const odd = running && leavesBehind(inside(running.command));
  const chosen =
    running && !odd && exists(inside(running.command), scripts) ? running.command : undefined;
  const command =
    chosen ??
    (scripts["dev"] !== undefined
      ? inProject(facts, "npm run dev")
      : scripts["start"] !== undefined
        ? inProject(facts, "npm start")
        : facts.indexHtml
          ? inProject(facts, FILE_SERVER)
          : undefined);
  if (command === undefined) return undefined;
  const name = scriptOf(inside(command));
  const script = (name !== undefined && scripts[name]) || command;
  const buildsAt = script.search(/\bbuild\b/);
  const buildsItself = buildsAt !== -1 && script.includes("&&", buildsAt);
  const showsBuild = !buildsItself && (SHOWS_BUILD.test(script) || mayShowBuild(name, facts));
  return {
    command,
    script,
    build:
      showsBuild && scripts["build"] !== undefined ? inProject(facts, "npm run build") : undefined,
    servesFiles: IS_FILE_SERVER.test(inside(command)) || undefined,
  };
}

/** Whether `start` may serve what `build` wrote: the project has no `dev` script. */
function mayShowBuild(name: string | undefined, { manifest }: ProjectFacts): boolean {
  const { start, dev } = manifest?.scripts ?? {};
  return name === "start" && dev === undefined && start !== undefined && !takesChanges(start);
}

export const runsSeveral = (script: string) => SEVERAL.test(script);

/** The name of the package script that a command runs; undefined if it runs none. */
export function scriptOf(command: string): string | undefined {
  const match = /^\s*(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?([\w:.-]+)(?:\s[^;&|]*)?$/.exec(command);
  return match?.[1];
}

function exists(command: string, scripts: Record<string, string>): boolean {
  const name = scriptOf(command);
  return name === undefined || scripts[name] !== undefined;
}

import type { ServerState } from "@treadle/protocol";
import { leavesBehind } from "./leaves-behind.ts";
import { inProject, type ProjectFacts } from "./project-facts.ts";
import { takesChanges } from "./takes-changes.ts";

/** What is started to see the app, and what that runs in the end. */
export interface ServerCommand {
  command: string;
  /** The text of the package script that it names, else the command itself. */
  script: string;
  /** It serves a build's output, so the current files have to be built first. */
  build?: string;
}

/** Several processes under one command: they open their ports one after the other. */
const SEVERAL =
  /\b(?:concurrently|npm-run-all|run-p|turbo|wireit|foreman|nx|lerna|overmind)\b|(?<!&)&(?!&)|\s--parallel\b|\bpnpm\s+(?:-r|--recursive)\b|--workspaces\b/;

/** What serves a build's output and never the sources. */
const SHOWS_BUILD =
  /\b(?:vite|astro|nuxt|nuxi)\s+preview\b|\bnext\s+start\b|\b(?:serve|sirv|http-server|live-server)\b[^;&|]{0,500}\b(?:dist|build|out|public)\b|\bnode\s+(?:\.\/)?(?:dist|build|out|\.output)\//;

/** What is started where nobody said: the running command, `dev`, `start`, or the files as they are. */
export function serverCommand(
  facts: ProjectFacts,
  running: ServerState | undefined,
): ServerCommand | undefined {
  const scripts = facts.manifest?.scripts ?? {};
  // A line that does more than serve ends by itself; what the project says is what others will run.
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
          ? inProject(facts, "treadle-serve")
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
  };
}

/** A project that is only ever built and started: what its `start` serves may be what its `build` wrote. */
function mayShowBuild(name: string | undefined, { manifest }: ProjectFacts): boolean {
  const { start, dev } = manifest?.scripts ?? {};
  return name === "start" && dev === undefined && start !== undefined && !takesChanges(start);
}

export const runsSeveral = (script: string) => SEVERAL.test(script);

/** The package script that a command runs, if it runs one. */
export function scriptOf(command: string): string | undefined {
  const match = /^\s*(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?([\w:.-]+)(?:\s[^;&|]*)?$/.exec(command);
  return match?.[1];
}

function exists(command: string, scripts: Record<string, string>): boolean {
  const name = scriptOf(command);
  return name === undefined || scripts[name] !== undefined;
}

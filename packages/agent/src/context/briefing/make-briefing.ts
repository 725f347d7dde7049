import type { Workspace } from "@treadle/workspace";
import type { IsAccepted } from "../../trust/protected-files.ts";
import { projectSkills } from "../skills/project-skills.ts";
import { clipLine } from "../../text/clip.ts";
import { fence } from "../../text/fence.ts";
import { prose } from "../../text/prose.ts";
import { visibleText } from "@treadle/protocol/safe-text";
import type { Limits } from "../../ports/limits.ts";
import { designText } from "./design-text.ts";
import { projectRules } from "./project-rules.ts";
import { postgresText } from "./tell-postgres.ts";
import { tellTree, TREE } from "./tell-tree.ts";
import type { Briefing, Personal, Rule } from "./types.ts";

const PROJECT_RULES = prose(new URL("./project-rules.md", import.meta.url));

export interface BriefingRequest {
  workspace: Workspace;
  personal: Personal | undefined;
  limits: Pick<Limits, "costUsd" | "tokens">;
  /** Milliseconds since 1970. */
  now: number;
  /** Rules files that the person has switched off. */
  rulesOff?: readonly string[] | undefined;
  /** Whether the person accepted a version of a rules file or a skill; absent to accept all. */
  isAccepted?: IsAccepted | undefined;
  /** Files that are open in the person's editor; absent if unknown, and then not mentioned. */
  open?: readonly string[] | undefined;
  /** The person's request; absent if it has no text. */
  words?: string | undefined;
  /** The briefing that the model has already seen. */
  previous: Briefing | undefined;
}

/** Paths against which file patterns of rules are matched. */
const LISTED = 2_000;

/**
 * Builds the briefing; undefined if nothing changed. Unreadable files of the project are skipped
 * and never make it reject.
 */
export async function makeBriefing(request: BriefingRequest): Promise<Briefing | undefined> {
  const { workspace, previous, personal } = request;
  const listed = await workspace.files.list({ limit: LISTED });
  const paths = listed.files.filter(({ kind }) => kind === "file").map(({ path }) => path);
  const [rules, skills, postgres, design] = await Promise.all([
    projectRules(workspace, paths, request.rulesOff, request.isAccepted),
    projectSkills(workspace, request.isAccepted),
    postgresText(workspace, paths, request.words ?? "", previous?.sections["postgres"] ?? ""),
    designText(workspace, listed.files),
  ]);
  const sections = {
    person: rulesText(personal?.rules ?? []),
    rules:
      rules.length === 0 ? "" : `${PROJECT_RULES}\n${fence("project-rules", rulesText(rules))}`,
    skills: skillsText([
      ...(personal?.skills ?? []).map((skill) => ({ ...skill, source: "the person's" })),
      ...skills.map((skill) => ({ ...skill, source: "the project's" })),
    ]),
    place: placeText(request),
    server: serverText(workspace),
    postgres,
    design,
    open: openText(request, paths),
  };
  const sizes = new Map(listed.files.map(({ path, size }) => [path, size] as const));
  const files = paths.slice(0, TREE);
  const more = listed.more || paths.length > TREE;
  const changed = Object.entries(sections).filter(
    ([kind, text]) => text !== (previous?.sections[kind] ?? ""),
  );
  const text = [
    ...changed.map(([kind, words]) => words || `${NO_LONGER[kind] ?? kind}`),
    fenced("files", tellTree(previous?.files, files, more, sizes)),
  ].filter((words) => words !== "");
  return text.length === 0 ? undefined : { sections, files, text: text.join("\n\n") };
}

const fenced = (name: string, text: string) => (text === "" ? "" : fence(name, text));

const NO_LONGER: Record<string, string> = {
  person: "The person's own rules no longer hold.",
  rules: "The rules that came with the project are gone.",
  skills: "There are no further skills any more.",
  server: "No server runs.",
  design: "The project has no design tokens any more.",
  open: "The person has no file open any more.",
};

function rulesText(rules: readonly Rule[]): string {
  return rules.map(({ path, text }) => `From ${path}:\n${text}`).join("\n\n");
}

function skillsText(skills: { name: string; description: string; source: string }[]): string {
  if (skills.length === 0) return "";
  const lines = skills.map(
    ({ name, description, source }) => `- ${name} (${source}): ${description}`,
  );
  return `Further skills:\n${lines.join("\n")}`;
}

/** Gives the day and not the hour, which would change the briefing at every turn. */
function placeText({ now, limits }: BriefingRequest): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const day = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(now);
  const budget = [
    limits.costUsd === undefined ? "" : `$${limits.costUsd}`,
    limits.tokens === undefined ? "" : `${limits.tokens} tokens`,
  ].filter((part) => part !== "");
  return `Today is ${day}, time zone ${timeZone}.${budget.length > 0 ? ` A turn may cost ${budget.join(" and ")}.` : ""}`;
}

/** Maximum number of open files that are named. */
const OPEN = 20;

function openText({ open, previous }: BriefingRequest, paths: readonly string[]): string {
  // A client that does not report open files, such as the command line, has not closed any.
  if (!open) return previous?.sections["open"] ?? "";
  const known = new Set(paths);
  const shown = open.filter((path) => known.has(path)).slice(0, OPEN);
  if (shown.length === 0) return "";
  return `The person has open in the editor, the one they look at first: ${shown.map((path) => JSON.stringify(clipLine(visibleText(path), 200))).join(", ")}.`;
}

function serverText({ server }: Workspace): string {
  if (!server || server.state === "stopped") return "";
  const ports = server.ports.length > 0 ? ` on ${server.ports.join(", ")}` : "";
  return `Server: ${server.state}${ports} (${JSON.stringify(server.command.slice(0, 200))}).`;
}

import type { ManagerName } from "@treadle/workspace";
import { inProject, type ProjectFacts } from "./project-facts.ts";

const COMMANDS: Record<ManagerName, string> = {
  npm: "npm install --no-audit --no-fund",
  pnpm: "pnpm install",
  yarn: "yarn install",
  bun: "bun install",
};

/** The install command of the project's own package manager. */
export const installCommand = (facts: ProjectFacts): string =>
  inProject(facts, COMMANDS[facts.manager?.name ?? "npm"]);

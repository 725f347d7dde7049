import { readFileSync } from "node:fs";

const RULES = readFileSync(new URL("./rules.md", import.meta.url), "utf8").trim();

/** What a system is asked: the benchmark's rules, the same for every system, and the task's instruction. */
export const wrapInstruction = (instruction: string): string => `${RULES} ${instruction}`;

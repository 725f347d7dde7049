import type { DialectName } from "@treadle/protocol";
import { OWN_SKILLS } from "../skills/own-skills.ts";
import { prose } from "../../text/prose.ts";

const SYSTEM = prose(new URL("./system.md", import.meta.url));
const NATIVE = prose(new URL("./native.md", import.meta.url));

const SKILLS = `Skills\n\n${OWN_SKILLS.map(({ name, description }) => `- ${name}: ${description}`).join("\n")}`;

/**
 * The system prompt. It is the same in every step and turn, so that the provider's cache holds.
 * Text dialects add their grammar: bolt's replaces the section about tools, Cline's follows it.
 */
export function systemPrompt(dialect: DialectName): string {
  return `${SYSTEM}\n\n${SKILLS}${dialect === "artifact" ? "" : `\n\n${NATIVE}`}`;
}

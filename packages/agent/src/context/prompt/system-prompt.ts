import type { DialectName } from "@treadle/protocol";
import { OWN_SKILLS } from "../skills/own-skills.ts";
import { prose } from "../../text/prose.ts";

const SYSTEM = prose(new URL("./system.md", import.meta.url));
const NATIVE = prose(new URL("./native.md", import.meta.url));

const SKILLS = `Skills\n\n${OWN_SKILLS.map(({ name, description }) => `- ${name}: ${description}`).join("\n")}`;

/**
 * What the model is told first. The same text in every step and every turn, so that the provider's cache holds.
 * A dialect that is written in words adds its grammar itself: bolt's tags in place of the words about tools, Cline's after them.
 */
export function systemPrompt(dialect: DialectName): string {
  return `${SYSTEM}\n\n${SKILLS}${dialect === "artifact" ? "" : `\n\n${NATIVE}`}`;
}

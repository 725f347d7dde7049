import { fence } from "../../text/fence.ts";
import { prose } from "../../text/prose.ts";

const TYPE = "data-plan";
const INTRODUCTION = prose(new URL("./plan-part.md", import.meta.url));

interface PlanPart {
  type: typeof TYPE;
  data: { text: string };
}

/**
 * A plan to carry out, as part of a message. A model wrote it, so its mentions are not resolved
 * (A27).
 */
export const planPart = (text: string): PlanPart => ({ type: TYPE, data: { text } });

/** The plan's text for the model; undefined if the part is of another type. */
export function tellPlanPart(part: { type: string; data: unknown }): string | undefined {
  if (part.type !== TYPE) return undefined;
  return `${INTRODUCTION}\n${fence("plan", (part as PlanPart).data.text)}`;
}

import { fence } from "../../text/fence.ts";
import { prose } from "../../text/prose.ts";

const TYPE = "data-plan";
const INTRODUCTION = prose(new URL("./plan-part.md", import.meta.url));

interface PlanPart {
  type: typeof TYPE;
  data: { text: string };
}

/** In a message: a plan that is to be carried out. It is a model's text, so nothing that it points at is given (A27). */
export const planPart = (text: string): PlanPart => ({ type: TYPE, data: { text } });

/** Such a part as the model reads it; undefined for any other part. */
export function tellPlanPart(part: { type: string; data: unknown }): string | undefined {
  if (part.type !== TYPE) return undefined;
  return `${INTRODUCTION}\n${fence("plan", (part as PlanPart).data.text)}`;
}

import type { Condition, Part, Script, Step, Subject, WireName } from "../script/types.ts";
import type { Asked } from "./asked.ts";

/** The facts for conditions. */
export interface Situation {
  wire: WireName;
  asked: Asked;
  /** How often this exact conversation was sent, including this time. */
  attempt: number;
}

export interface Choice {
  /** Absent if no step matches. */
  step?: Step;
  parts: Part[];
}

/**
 * Chooses the answer to a request: the first matching step, else `otherwise`, else a text that says
 * that nothing matched. `{name}` in its text is replaced by a named group of a matched pattern.
 */
export function chooseParts(script: Script, situation: Situation): Choice {
  const turn = turnOf(situation.asked);
  const step = script.steps.find((candidate, index) =>
    candidate.when.length === 0
      ? turn === index + 1
      : candidate.when.every((condition) => holds(condition, situation, turn)),
  );
  if (step !== undefined) return { step, parts: fillIn(step, situation.asked) };
  return {
    parts: script.otherwise ?? [{ type: "say", text: noStep(script, situation, turn) }],
  };
}

function fillIn(step: Step, asked: Asked): Part[] {
  const found = new Map<string, string>();
  for (const condition of step.when) {
    if (condition.type !== "text" || condition.not || typeof condition.pattern === "string")
      continue;
    const groups = condition.pattern.exec(textOf(condition.subject, asked))?.groups ?? {};
    for (const [name, value] of Object.entries(groups)) found.set(name, value ?? "");
  }
  if (found.size === 0) return step.parts;
  return step.parts.map((part) =>
    part.type === "say"
      ? {
          ...part,
          text: part.text.replace(
            /\{(\w+)\}/g,
            (placeholder, name) => found.get(name) ?? placeholder,
          ),
        }
      : part,
  );
}

/**
 * One more than the model's turns in the request; everything that the model sends at once counts as
 * one, in however many items.
 */
export function turnOf(asked: Asked): number {
  let turns = 0;
  let before: string | undefined;
  for (const { by } of asked.entries) {
    if (by === "assistant" && before !== "assistant") turns += 1;
    before = by;
  }
  return turns + 1;
}

function holds(condition: Condition, situation: Situation, turn: number): boolean {
  return test(condition, situation, turn) !== condition.not;
}

function test(condition: Condition, situation: Situation, turn: number): boolean {
  switch (condition.type) {
    case "turn":
      return condition.orLater ? turn >= condition.number : turn === condition.number;
    case "attempt":
      return condition.orLater
        ? situation.attempt >= condition.number
        : situation.attempt === condition.number;
    case "tools":
      return situation.asked.tools.length > 0;
    case "pictures":
      return situation.asked.pictures > 0;
    case "wire":
      return situation.wire === condition.wire;
    case "text": {
      const text = textOf(condition.subject, situation.asked);
      return typeof condition.pattern === "string"
        ? text.toLowerCase().includes(condition.pattern)
        : condition.pattern.test(text);
    }
  }
}

/** The state of the project that Treadle adds to a message: it may repeat earlier text. */
const STANDING = /<standing>[\s\S]*?<\/standing>/g;

function textOf(subject: Subject, asked: Asked): string {
  const entries = asked.entries.map((entry) =>
    entry.by === "user" ? { ...entry, text: entry.text.replace(STANDING, "") } : entry,
  );
  const last = entries.findLastIndex((entry) => entry.by === "assistant");
  const news = entries.slice(last + 1).filter((entry) => entry.by !== "system");
  const join = (chosen: typeof entries): string => chosen.map((entry) => entry.text).join("\n");
  switch (subject) {
    case "news":
      return join(news);
    case "result":
      return join(asked.tools.length === 0 ? news : news.filter((entry) => entry.by === "tool"));
    case "message":
      return join(news.filter((entry) => entry.by === "user"));
    case "prompt":
      return entries.find((entry) => entry.by === "user")?.text ?? "";
    case "system":
      return join(entries.filter((entry) => entry.by === "system"));
    case "conversation":
      return join(entries);
  }
}

function noStep(script: Script, situation: Situation, turn: number): string {
  const news = textOf("news", situation.asked).trim().slice(0, 300);
  return (
    `This is the script "${script.name}", not a model: it has no step for this request ` +
    `(turn ${turn}, attempt ${situation.attempt}, ${situation.wire}). ` +
    (news === "" ? "Nothing was said to it." : `What it was told begins: ${news}`)
  );
}

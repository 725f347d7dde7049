/**
 * This module parses the previewed page's messages about the person's actions. All of them come from generated code, so
 * their size is limited.
 */

/** An element, identified so that a check can find it again. */
export type RecordedTarget = (
  | { role: string; name: string; within?: { role: string; name: string } }
  | { words: string }
  | { css: string }
) & {
  /** For an expectation: the field's text. */
  text?: string;
  /** For an expectation: the state of a checkbox. */
  is?: "checked" | "unchecked";
};

/** An action or expectation of the person. */
export interface Recorded {
  do: "click" | "type" | "select" | "press" | "expect";
  /** Undefined only for a key pressed without a target. */
  target?: RecordedTarget;
  text: string;
  /** Whether the typed text is a password. */
  isSecret: boolean;
}

export type RecordMessage =
  | { type: "recorded"; step: Recorded }
  /** Whether the next click creates an expectation. */
  | { type: "expecting"; on: boolean }
  /** The page was loaded, and does not know yet that recording is on. */
  | { type: "begin" };

const ACTS = ["click", "type", "select", "press", "expect"] as const;
const NAME_CHARS = 80;
const TEXT_CHARS = 500;
const SELECTOR_CHARS = 300;

type Sent = Record<string, unknown>;
const isSent = (value: unknown): value is Sent => typeof value === "object" && value !== null;
/** A text on one line, as a step requires, cut to `limit` characters; "" for anything but a string. */
const text = (value: unknown, limit: number) =>
  typeof value === "string" ? value.replace(/\s+/g, " ").trim().slice(0, limit) : "";
const roleOf = (value: unknown) => (/^[a-z]{2,20}$/.test(String(value)) ? String(value) : "");

/** Parses a message about the person's actions; undefined for anything else. The caller has checked the sender. */
export function readRecordMessage(data: unknown): RecordMessage | undefined {
  if (!isSent(data)) return undefined;
  switch (data["type"]) {
    case "treadle:begin":
      return { type: "begin" };
    case "treadle:expecting":
      return { type: "expecting", on: data["on"] === true };
    case "treadle:recorded": {
      const step = isSent(data["step"]) ? readStep(data["step"]) : undefined;
      return step && { type: "recorded", step };
    }
    default:
      return undefined;
  }
}

function readStep(sent: Sent): Recorded | undefined {
  const act = ACTS.find((one) => one === sent["do"]);
  if (!act) return undefined;
  const target = isSent(sent["target"]) ? readTarget(sent["target"]) : undefined;
  const value = text(sent["text"], TEXT_CHARS);
  if (act === "press" ? !/^[!-~]{1,20}$/.test(value) : !target) return undefined;
  return { do: act, target: target || undefined, text: value, isSecret: sent["secret"] === true };
}

function readTarget(sent: Sent): RecordedTarget | undefined {
  const { is } = sent;
  const state: Pick<RecordedTarget, "text" | "is"> = {
    text: typeof sent["text"] === "string" ? text(sent["text"], TEXT_CHARS) : undefined,
    is: is === "checked" || is === "unchecked" ? is : undefined,
  };
  const role = roleOf(sent["role"]);
  const name = text(sent["name"], NAME_CHARS);
  const words = text(sent["words"], NAME_CHARS);
  const css = text(sent["css"], SELECTOR_CHARS);
  if (role !== "" && name !== "") {
    const scope = isSent(sent["within"]) ? sent["within"] : {};
    const within = { role: roleOf(scope["role"]), name: text(scope["name"], NAME_CHARS) };
    return { role, name, within: within.role && within.name ? within : undefined, ...state };
  }
  if (words !== "") return { words, ...state };
  return css === "" ? undefined : { css, ...state };
}

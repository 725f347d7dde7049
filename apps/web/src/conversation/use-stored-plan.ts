import { useState } from "react";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";

/**
 * A plan as edited by the person; undefined if unchanged. Stored in the browser, so that it survives a reload or a closed
 * tab; only the newest plan of each project is stored.
 * @param message the message that the plan answers
 */
export function useStoredPlan(
  project: string,
  message: string,
): [string | undefined, (text: string | undefined) => void] {
  const key = `treadle.plan.${project}`;
  const [text, setText] = useState(() => parseStoredPlan(readSetting(key), message));
  return [
    text,
    (next) => {
      setText(next);
      writeSetting(key, next === undefined ? undefined : JSON.stringify({ message, text: next }));
    },
  ];
}

function parseStoredPlan(stored: string | undefined, message: string): string | undefined {
  if (stored === undefined) return undefined;
  try {
    const plan = JSON.parse(stored) as { message?: unknown; text?: unknown };
    return plan.message === message && typeof plan.text === "string" ? plan.text : undefined;
  } catch {
    return undefined;
  }
}

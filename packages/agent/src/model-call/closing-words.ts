import type { LastWords } from "@treadle/protocol";
import { toolKind } from "@treadle/protocol/tools";
import { clipMiddle } from "../text/clip.ts";
import type { StepRecord } from "./step-record.ts";

/** Maximum characters of each field. */
const LIMIT = 2_000;

/** The model's summary in `finish`; undefined if it ended its turn without that. */
export function closingWords({ calls }: StepRecord): LastWords | undefined {
  const call = calls.findLast(
    ({ tool, outcome }) => toolKind(tool) === "ends" && outcome?.status === "ok",
  );
  if (!call) return undefined;
  const text = (field: string) => {
    const value = call.input?.[field];
    return typeof value === "string" ? clipMiddle(value.trim(), LIMIT) : "";
  };
  const [how, name] = [text("try"), text("name")];
  return { done: text("done"), try: how || undefined, name: name || undefined };
}

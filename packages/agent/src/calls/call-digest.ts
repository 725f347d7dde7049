import { createHash } from "node:crypto";
import { stableJson } from "../text/stable-json.ts";

/** What an approval is bound to: the tool and every argument, whatever the order in which they were written. */
export function callDigest(tool: string, input: unknown): string {
  return createHash("sha256")
    .update(`${tool}\0${stableJson(input)}`)
    .digest("hex");
}

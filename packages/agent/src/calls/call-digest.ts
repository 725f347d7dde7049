import { createHash } from "node:crypto";
import { stableJson } from "../text/stable-json.ts";

/** The digest that an approval is bound to: the tool and every argument, in any order. */
export function callDigest(tool: string, input: unknown): string {
  return createHash("sha256")
    .update(`${tool}\0${stableJson(input)}`)
    .digest("hex");
}

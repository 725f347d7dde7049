import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";

/** `"v1"`, `W/"v1"` and `v1` all name version v1. */
const bare = (tag: string) => tag.trim().replace(/^W\//, "").replace(/^"|"$/g, "");

/**
 * Which version a write expects: that of If-Match, or `absent` with `If-None-Match: *`.
 * @throws ApiFailure 428 with neither: a write that knows no version would be a silent overwrite (F12).
 */
export function expectedVersion(
  ifMatch: string | undefined,
  ifNoneMatch: string | undefined,
): string {
  if (ifMatch !== undefined) return bare(ifMatch);
  if (ifNoneMatch?.trim() === "*") return "absent";
  throw new ApiFailure(428, "version-missing", sentence("version-missing"));
}

export const etag = (version: string) => `"${version}"`;

/** Whether the client has this version already. */
export const isKnown = (ifNoneMatch: string | undefined, version: string) =>
  ifNoneMatch !== undefined && ifNoneMatch.split(",").some((tag) => bare(tag) === version);

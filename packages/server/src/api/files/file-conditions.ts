import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";

/** The version in an entity tag: `"v1"`, `W/"v1"` and `v1` all name version v1. */
const bare = (tag: string) => tag.trim().replace(/^W\//, "").replace(/^"|"$/g, "");

/**
 * The version that a write expects: from If-Match, or `absent` for `If-None-Match: *`.
 * @throws ApiFailure 428 without either, since such a write could silently overwrite changes (F12)
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

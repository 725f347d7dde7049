import type { Place } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { Target } from "./target.ts";

/**
 * The settings typed for a target, restricted to its fields. Empty ones are dropped.
 * @throws ApiFailure 400 `bad-place`
 */
export function readPlace({ name, fields }: Target, typed: Place): Place {
  const place: Place = { ...(typed.local && { local: true }) };
  for (const { name: field } of fields) {
    const text = typed[field]?.trim();
    if (text === undefined || text === "") continue;
    // oxlint-disable-next-line no-control-regex -- control characters are what is refused
    if (/[\u0000-\u001f\u007f]/.test(text))
      throw new ApiFailure(400, "bad-place", sentence("place-control-characters", { name }));
    place[field] = text;
  }
  return place;
}

/** Checks that a place is complete. @throws ApiFailure 400 `place-wanted` if a required field is missing */
export function checkPlace({ name, fields }: Target, place: Place): void {
  const missing = fields.find((field) => field.required && place[field.name] === undefined);
  if (missing)
    throw new ApiFailure(
      400,
      "place-wanted",
      sentence("place-missing", { name, field: missing.name }),
    );
}

import type { Publication } from "@treadle/protocol";
import { words } from "../words/words.ts";
import { AppErrors } from "./app-errors.tsx";

/** What the published app does, and what went wrong in it. */
export function Running({
  publication: { errors },
  onFix,
}: {
  publication: Publication;
  onFix: () => void;
}) {
  if (errors.length === 0) return <p className="text-quiet">{words.publish.noErrors}</p>;
  return <AppErrors errors={errors} onDone={onFix} />;
}

import { keysInTexts, MASK, redactedTexts } from "@treadle/publish";
import type { Transcript } from "@treadle/transcripts";

/** Fields with binary data as text. */
const BYTES = new Set(["base64", "pictures", "sha256"]);

/**
 * Masks secrets and data of this machine in a transcript, as in a shared conversation.
 * @param lane the project's id
 * @param values private values
 */
export async function redactTranscript(
  transcript: Transcript,
  lane: string,
  values: readonly string[],
): Promise<Transcript> {
  const texts = new Set<string>();
  mapTexts(transcript, (text) => (texts.add(text), text));
  const keys = await keysInTexts(lane, texts);
  const redacted = await redactedTexts(lane, texts, [...values, ...keys]);
  return mapTexts(transcript, (text) =>
    text === "" ? "" : (redacted.get(text) ?? MASK),
  ) as Transcript;
}

/** A copy of plain JSON with each string value replaced; field names stay. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, BYTES.has(name) ? one : mapTexts(one, map)]),
  );
}

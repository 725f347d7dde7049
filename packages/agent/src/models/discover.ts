import { isRecord } from "../evidence/project-facts.ts";

/** A server on this machine answers at once or is not there. */
const ANSWER_MS = 700;
const MODELS_SHOWN = 50;

/** Asks a local model server which models it holds. Undefined where none answers. Never rejects. */
export async function discoverModels(
  address: string,
  fetch = globalThis.fetch,
): Promise<string[] | undefined> {
  try {
    const response = await fetch(`${address}/v1/models`, {
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (!response.ok) return undefined;
    const body: unknown = await response.json();
    const data = isRecord(body) && Array.isArray(body["data"]) ? body["data"] : [];
    return data
      .map((entry: unknown) =>
        isRecord(entry) && typeof entry["id"] === "string" ? entry["id"] : undefined,
      )
      .filter((id) => id !== undefined)
      .filter((id) => !/embed/i.test(id))
      .slice(0, MODELS_SHOWN);
  } catch {
    return undefined;
  }
}

import { isRecord } from "../text/is-record.ts";

/** Time limit in milliseconds: a server on this machine answers at once or does not exist. */
const ANSWER_MS = 700;
const MODELS_SHOWN = 50;

/** Asks a model server for its models; the address may end in `/v1`. Undefined if no server answers. Never rejects. */
export async function discoverModels({
  address,
  key,
  fetch = globalThis.fetch,
}: {
  address: string;
  key?: string | undefined;
  fetch?: typeof globalThis.fetch | undefined;
}): Promise<string[] | undefined> {
  try {
    const response = await fetch(`${address.replace(/(?:\/v1)?\/?$/, "")}/v1/models`, {
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: key === undefined ? undefined : { authorization: `Bearer ${key}` },
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

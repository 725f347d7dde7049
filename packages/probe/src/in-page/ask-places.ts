import { PLACES_PATH } from "../own-paths.ts";

const { fetch } = window;

/** The places in the project's own files from which stacks come; an empty list if the gateway does not answer. */
export async function askPlaces(stacks: readonly string[]): Promise<(string | undefined)[]> {
  try {
    const response = await fetch(PLACES_PATH, { method: "POST", body: JSON.stringify({ stacks }) });
    return response.ok ? (await response.json()).places : [];
  } catch {
    return [];
  }
}

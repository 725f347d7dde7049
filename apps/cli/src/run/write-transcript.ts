import { writeFileSync } from "node:fs";
import type { Treadle } from "@treadle/server";

/**
 * Writes the recording of one turn to a new file.
 * @throws Error with a sentence for people if the file exists or nothing was recorded
 */
export async function writeTranscript(
  { fetch, token, url }: Pick<Treadle, "fetch" | "token"> & { url: string },
  project: string,
  run: string,
  file: string,
): Promise<void> {
  const address = `${url}/api/projects/${project}/transcript.jsonl?run=${run}`;
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(new Request(address, { headers }));
  const text = await answer.text();
  if (!answer.ok) {
    const { error } = JSON.parse(text) as { error: { message: string } };
    throw new Error(error.message);
  }
  writeFileSync(file, text, { flag: "wx" });
}

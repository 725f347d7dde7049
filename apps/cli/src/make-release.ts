import { setTimeout as after } from "node:timers/promises";
import type { Treadle } from "@treadle/client";
import type { Publication } from "@treadle/protocol";
import { plain } from "./plain.ts";

/** How often it is asked whether the release is ready, in milliseconds. */
const POLL_MS = 300;

/** Has a release made of the files as they stand, and waits for what comes of it. @returns it is the first of `releases` */
export async function makeRelease(
  treadle: Treadle,
  id: string,
  body: { name?: string | undefined; anyway?: string | undefined },
): Promise<{ publication: Publication; number: number }> {
  const { data } = await treadle.api.POST("/api/projects/{id}/publication", {
    params: { path: { id } },
    body: { name: body.name, ...(body.anyway !== undefined && { anyway: body.anyway }) },
  });
  const { number } = (data as Publication).releases[0]!;
  return { publication: await ready(treadle, id, number), number };
}

/** Waits for a release and for what is seen of it, saying what goes on. */
async function ready(treadle: Treadle, id: string, number: number): Promise<Publication> {
  let said: string | undefined;
  for (;;) {
    const { data } = await treadle.api.GET("/api/projects/{id}/publication", {
      params: { path: { id } },
    });
    const publication = data as Publication;
    const release = publication.releases.find((one) => one.number === number);
    const looking = release?.gate?.looking === true;
    if (release?.state !== "building" && !looking) return publication;
    const says = looking ? "Published; looking at it in a browser" : release?.said;
    if (says !== undefined && says !== said) process.stderr.write(`${plain((said = says))}…\n`);
    await after(POLL_MS);
  }
}

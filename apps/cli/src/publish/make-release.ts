import { setTimeout as after } from "node:timers/promises";
import { TreadleError, type Treadle } from "@treadle/client";
import type { Publication } from "@treadle/protocol";
import { plain } from "../terminal/plain.ts";

/** Interval at which the release's state is polled, in milliseconds. */
const POLL_MS = 300;

/** Time limit for a restart of the published app, in milliseconds. */
const RESTART_MS = 120_000;

/**
 * Makes a release of the current files, and waits for its result.
 * @param body.isRestarting the published app is restarting: waits for that instead of failing
 * @returns the publication; the new release is the first of `releases`
 */
export async function makeRelease(
  treadle: Treadle,
  id: string,
  body: { name?: string | undefined; anyway?: string | undefined; isRestarting?: boolean },
): Promise<{ publication: Publication; number: number }> {
  const begin = () =>
    treadle.api.POST("/api/projects/{id}/publication", {
      params: { path: { id } },
      body: { name: body.name, anyway: body.anyway },
    });
  const until = performance.now() + (body.isRestarting ? RESTART_MS : 0);
  const { data } = await retryWhilePublishing(begin, until);
  const { number } = (data as Publication).releases[0]!;
  return { publication: await ready(treadle, id, number), number };
}

/**
 * Repeats a request while another release of the project is being published.
 * @param until in the time of `performance.now()`
 * @throws TreadleError
 */
async function retryWhilePublishing<Answer>(
  begin: () => Promise<Answer>,
  until: number,
): Promise<Answer> {
  for (;;)
    try {
      return await begin();
    } catch (error) {
      const isPublishing = error instanceof TreadleError && error.code === "publishing";
      if (!isPublishing || performance.now() >= until) throw error;
      await after(POLL_MS);
    }
}

/** Waits for a release and its checks, printing the progress. */
async function ready(treadle: Treadle, id: string, number: number): Promise<Publication> {
  let lastMessage: string | undefined;
  for (;;) {
    const { data } = await treadle.api.GET("/api/projects/{id}/publication", {
      params: { path: { id } },
    });
    const publication = data as Publication;
    const release = publication.releases.find((one) => one.number === number);
    const looking = release?.gate?.looking === true;
    if (release?.state !== "building" && !looking) return publication;
    const says = looking ? "Published; looking at it in a browser" : release?.said;
    if (says !== undefined && says !== lastMessage)
      process.stderr.write(`${plain((lastMessage = says))}…\n`);
    await after(POLL_MS);
  }
}

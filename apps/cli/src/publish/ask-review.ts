import { setTimeout as after } from "node:timers/promises";
import { TreadleError, type Treadle } from "@treadle/client";
import type { ProjectReviews, Publication, Review } from "@treadle/protocol";
import { EXIT } from "../terminal/exit-status.ts";
import { jsonLine } from "../terminal/json-line.ts";
import { plain } from "../terminal/plain.ts";
import { tellPublication } from "./tell-publication.ts";

/** Interval at which the request is read while nobody has answered it, in milliseconds. */
const POLL_MS = 2_000;

const path = "/api/projects/{id}/reviews" as const;

/**
 * Asks a second person to publish the current files.
 * @param how.waits whether to wait for the answer
 * @returns the exit status; undefined if nothing was asked, since no second person is needed
 * @throws TreadleError
 */
export async function askReview(
  treadle: Treadle,
  id: string,
  how: { name?: string | undefined; waits: boolean; json: boolean; pollMs?: number },
): Promise<number | undefined> {
  const { name, waits, json, pollMs = POLL_MS } = how;
  const params = { path: { id } };
  let review: Review;
  try {
    const { data } = await treadle.api.POST(path, { params, body: { kind: "publish", name } });
    review = data as Review;
  } catch (error) {
    if (error instanceof TreadleError && error.code === "no-review") return undefined;
    throw error;
  }
  if (!waits) {
    if (json) process.stdout.write(jsonLine(review));
    else process.stderr.write("Asked. It is published when somebody else approves it.\n");
    return EXIT.waiting;
  }
  process.stderr.write("Asked. Waiting for somebody else to answer…\n");
  for (;;) {
    const { data } = await treadle.api.GET(path, { params });
    const { reviews } = data as ProjectReviews;
    review = reviews.find((one) => one.id === review.id) ?? { ...review, state: "overtaken" };
    if (review.state !== "requested" && review.state !== "approved") break;
    await after(pollMs);
  }
  if (review.state !== "done") return reportRefusal(review, json);
  const { data } = await treadle.api.GET("/api/projects/{id}/publication", { params });
  const publication = data as Publication;
  const release = publication.releases.find((one) => one.review === review.id);
  return tellPublication(publication, release?.number, json);
}

/** Prints why a request was not carried out. @returns the exit status */
function reportRefusal(review: Review, json: boolean): number {
  const { state, answer, failure } = review;
  if (json) process.stdout.write(jsonLine(review));
  else {
    const why = failure?.message ?? answer?.words;
    const what = {
      refused: `${answer?.by.name ?? "Somebody"} refused it`,
      withdrawn: "The request was withdrawn",
      overtaken: "A newer request has replaced this one",
    }[state as string];
    const text = what === undefined ? why : why === undefined ? `${what}.` : `${what}: ${why}`;
    process.stderr.write(`${plain(text ?? "It could not be published.")}\n`);
  }
  return EXIT.failed;
}

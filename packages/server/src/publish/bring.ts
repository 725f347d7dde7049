import { request as ask } from "node:http";
import { ANSWER_HEAD_BYTES, HEAD_TOO_LONG, isHeadTooLong } from "@treadle/workspace";
import { inTime } from "../common/in-time.ts";
import type { Answering, Answers } from "./answering.ts";
import { migrateRelease } from "./migrate-release.ts";
import { ReleaseFailure } from "./release-failure.ts";
import type { ReleasedApp } from "./released-app.ts";

/** Requests that go on when another release takes over have so long to end, in milliseconds. */
const DRAIN_MS = 10_000;
/** An app has so long for its first answer. */
const HEALTH_MS = 15_000;

/**
 * Answers with another release from now on: it is started and asked for its health before, and no request is lost. Where
 * data is taken over, requests wait while neither release runs, and migrations run on what was taken over.
 * @param how.dataOf the app whose data it takes over; absent: it has its own
 * @throws ReleaseFailure; what was answered with before still is
 */
export async function bring(
  answers: Answers,
  next: Answering,
  { dataOf, signal }: { dataOf: ReleasedApp | undefined; signal: AbortSignal },
): Promise<void> {
  const before = answers.current();
  try {
    if (next.kind === "app" && dataOf && (await dataOf.hasData()))
      await takeOver(answers, next, { dataOf, signal });
    else {
      if (next.kind === "app") await startWell(next.app);
      answers.put(next);
    }
  } finally {
    // It answered nobody, and its files were read.
    if (before?.kind !== "app") await dataOf?.sleep();
  }
  if (before?.kind !== "app") return;
  void answers.drained(before, DRAIN_MS).then(() => {
    // Somebody may have gone back to it meanwhile.
    if (answers.current() !== before) void before.app.sleep();
  });
}

async function takeOver(
  answers: Answers,
  next: Answering & { kind: "app" },
  { dataOf, signal }: { dataOf: ReleasedApp; signal: AbortSignal },
): Promise<void> {
  const before = answers.current();
  // It may have been started to be looked at.
  await next.app.sleep();
  const go = answers.hold();
  try {
    if (before) await answers.drained(before, DRAIN_MS);
    // Data is whole only once nobody writes it.
    await dataOf.sleep();
    await next.app.takeData(dataOf);
    await migrateRelease(await next.app.workspace(), { signal, file: next.app.databaseFile });
    await startWell(next.app);
    answers.put(next);
  } catch (error) {
    await next.app.sleep();
    throw error;
  } finally {
    go();
  }
}

/** Ends an app and starts it again, while requests wait. @throws ReleaseFailure; it sleeps then */
export async function startAgain(answers: Answers, answering: Answering): Promise<void> {
  if (answering.kind !== "app") return;
  const go = answers.hold();
  try {
    await answers.drained(answering, DRAIN_MS);
    await answering.app.sleep();
    await startWell(answering.app);
  } finally {
    go();
  }
}

/** Starts an app and asks it for its health. @throws ReleaseFailure; it sleeps then */
export async function startWell(app: ReleasedApp): Promise<void> {
  try {
    await app.start();
    const status = await inTime(statusOf(app), HEALTH_MS);
    if (status === undefined) throw new ReleaseFailure("It did not answer in time.");
    if (status >= 500)
      throw new ReleaseFailure(
        `It answers its first page with ${status}.`,
        (await app.workspace()).serverLog().slice(-4_000),
      );
  } catch (error) {
    await app.sleep();
    throw error;
  }
}

/** What its first page is answered with. */
export async function statusOf(app: Pick<ReleasedApp, "connect">): Promise<number> {
  const socket = await app.connect();
  return new Promise((resolve, reject) => {
    const asked = ask({
      path: "/",
      headers: { host: "localhost", accept: "text/html,*/*" },
      createConnection: () => socket,
      maxHeaderSize: ANSWER_HEAD_BYTES,
    });
    asked.on("response", (answer) => {
      resolve(answer.statusCode ?? 0);
      answer.destroy();
    });
    socket.once("close", () => reject(new ReleaseFailure("It broke off before it answered.")));
    asked.on("error", (error) =>
      reject(isHeadTooLong(error) ? new ReleaseFailure(HEAD_TOO_LONG) : error),
    );
    asked.end();
  });
}

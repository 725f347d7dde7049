import { request as ask } from "node:http";
import { ANSWER_HEAD_BYTES, HEAD_TOO_LONG, inTime, isHeadTooLong } from "@treadle/common";
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
 * @param how.record writes down that it answers. It is durable before anybody reaches the release: one that is not written
 * down is removed at the next start, with what visitors wrote in it
 * @throws ReleaseFailure, or what `record` throws; what was answered with before still is
 */
export async function bring(answers: Answers, next: Answering, how: Bringing): Promise<void> {
  const { dataOf } = how;
  const before = answers.current();
  try {
    await bringNow(answers, next, how);
  } finally {
    // It answered nobody, and its files were read. Whether it ends changes nothing for the release that answers.
    if (before?.kind !== "app") await dataOf?.sleep().catch(how.onNotice);
  }
  if (before?.kind !== "app") return;
  void answers.drained(before, DRAIN_MS).then(() => {
    // Somebody may have gone back to it meanwhile.
    if (answers.current() !== before) before.app.sleep().catch(how.onNotice);
  });
}

interface Bringing {
  dataOf: ReleasedApp | undefined;
  signal: AbortSignal;
  record(): Promise<void>;
  /** Is told what fails after the release answers. */
  onNotice(error: Error): void;
}

async function bringNow(answers: Answers, next: Answering, how: Bringing): Promise<void> {
  const { dataOf, record } = how;
  if (next.kind === "site") {
    await record();
    return answers.put(next);
  }
  const takesOver = async () => dataOf !== undefined && (await dataOf.hasData());
  if (await takesOver()) return takeOver(answers, next, { ...how, dataOf: dataOf! });
  await startWell(next.app);
  const before = answers.current();
  const go = answers.hold();
  try {
    if (before) await answers.drained(before, DRAIN_MS);
    // The app before may have written its first data while this one started.
    if (!(await takesOver())) {
      await record();
      return answers.put(next);
    }
  } catch (error) {
    await next.app.sleep();
    throw error;
  } finally {
    go();
  }
  await takeOver(answers, next, { ...how, dataOf: dataOf! });
}

async function takeOver(
  answers: Answers,
  next: Answering & { kind: "app" },
  { dataOf, signal, record }: Bringing & { dataOf: ReleasedApp },
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
    await record();
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

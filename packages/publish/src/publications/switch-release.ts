import { sentence } from "@treadle/protocol/sentences";
import { request as ask } from "node:http";
import { ANSWER_HEAD_BYTES, HEAD_TOO_LONG, inTime, isHeadTooLong } from "@treadle/common";
import type { ReleaseServer, ReleaseSlot } from "./release-slot.ts";
import { migrateRelease } from "./migrate-release.ts";
import { ReleaseFailure } from "./release-failure.ts";
import type { ReleaseApp } from "./release-app.ts";

/** How long active requests may take to end during a switch, in milliseconds. */
const DRAIN_MS = 10_000;
/** Time limit of an app's first answer, in milliseconds. */
const HEALTH_MS = 15_000;

/**
 * Makes another release current. It is started and health-checked first, and no request is lost. If
 * data is taken over, requests wait while neither release runs, and migrations run on that data.
 * @param how.dataOf the app whose data it takes over; absent: it keeps its own
 * @param how.record records the release as current, durably, before anyone can reach it: the next
 * start removes unrecorded releases with their visitors' data
 * @throws ReleaseFailure, or the error of `record`; the former release is then still current
 */
export async function switchRelease(
  slot: ReleaseSlot,
  next: ReleaseServer,
  how: SwitchOptions,
): Promise<void> {
  const { dataOf } = how;
  const before = slot.current();
  try {
    await switchNow(slot, next, how);
  } finally {
    // The app whose data was taken served no requests. A failure to end it does not affect the
    // current release.
    if (before?.kind !== "app") await dataOf?.sleep().catch(how.onNotice);
  }
  if (before?.kind !== "app") return;
  void slot.drained(before, DRAIN_MS).then(() => {
    // The former release may have become current again by a rollback meanwhile.
    if (slot.current() !== before) before.app.sleep().catch(how.onNotice);
  });
}

interface SwitchOptions {
  dataOf: ReleaseApp | undefined;
  signal: AbortSignal;
  record(): Promise<void>;
  /** Reports what fails after the switch. */
  onNotice(error: Error): void;
}

async function switchNow(
  slot: ReleaseSlot,
  next: ReleaseServer,
  how: SwitchOptions,
): Promise<void> {
  const { dataOf, record } = how;
  if (next.kind === "site") {
    await record();
    return slot.put(next);
  }
  const takesOver = async () => dataOf !== undefined && (await dataOf.hasData());
  if (await takesOver()) return takeOver(slot, next, { ...how, dataOf: dataOf! });
  await startHealthy(next.app);
  const before = slot.current();
  const go = slot.hold();
  try {
    if (before) await slot.drained(before, DRAIN_MS);
    // The old app may have written its first data while this one started.
    if (!(await takesOver())) {
      await record();
      return slot.put(next);
    }
  } catch (error) {
    await next.app.sleep();
    throw error;
  } finally {
    go();
  }
  await takeOver(slot, next, { ...how, dataOf: dataOf! });
}

async function takeOver(
  slot: ReleaseSlot,
  next: ReleaseServer & { kind: "app" },
  { dataOf, signal, record }: SwitchOptions & { dataOf: ReleaseApp },
): Promise<void> {
  const before = slot.current();
  // The new app may be running for an inspection.
  await next.app.sleep();
  const go = slot.hold();
  try {
    if (before) await slot.drained(before, DRAIN_MS);
    // Data is only consistent once the app no longer writes.
    await dataOf.sleep();
    await next.app.takeData(dataOf);
    await migrateRelease(await next.app.workspace(), { signal, file: next.app.databaseFile });
    await startHealthy(next.app);
    await record();
    slot.put(next);
  } catch (error) {
    await next.app.sleep();
    throw error;
  } finally {
    go();
  }
}

/** Restarts the app of a release while requests wait. @throws ReleaseFailure; the app then sleeps */
export async function restartRelease(
  slot: ReleaseSlot,
  releaseServer: ReleaseServer,
): Promise<void> {
  if (releaseServer.kind !== "app") return;
  const go = slot.hold();
  try {
    await slot.drained(releaseServer, DRAIN_MS);
    await releaseServer.app.sleep();
    await startHealthy(releaseServer.app);
  } finally {
    go();
  }
}

/** Starts an app and checks its first page. @throws ReleaseFailure; the app then sleeps */
export async function startHealthy(app: ReleaseApp): Promise<void> {
  try {
    await app.start();
    const status = await inTime(statusOf(app), HEALTH_MS);
    if (status === undefined) throw new ReleaseFailure(sentence("release-silent"));
    if (status >= 500)
      throw new ReleaseFailure(
        sentence("release-answers", { status: String(status) }),
        (await app.workspace()).serverLog().slice(-4_000),
      );
  } catch (error) {
    await app.sleep();
    throw error;
  }
}

/** The HTTP status of an app's first page. */
export async function statusOf(app: Pick<ReleaseApp, "connect">): Promise<number> {
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
    socket.once("close", () => reject(new ReleaseFailure(sentence("release-broke-off"))));
    asked.on("error", (error) =>
      reject(isHeadTooLong(error) ? new ReleaseFailure(HEAD_TOO_LONG) : error),
    );
    asked.end();
  });
}

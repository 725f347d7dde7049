import { beginningOf } from "@treadle/protocol/checks";
import type { Workspace } from "@treadle/workspace";
import type { Browser, PageUse } from "../ports/browser.ts";
import type { DataCopies, DataCopy } from "../ports/data-copies.ts";
import { startWithAllPorts } from "../project/all-ports.ts";
import { startAt } from "../project/start-at.ts";
import { clipLine } from "../text/clip.ts";

/** Maximum characters of the end of the server's output while the page was used, and of a reason. */
const PRINTED_CHARS = 1_500;
const REASON_CHARS = 160;

type UseRequest = Parameters<NonNullable<Browser["use"]>>[0];

/** The result of using a page, and where it was used. */
export interface TriedUse extends PageUse {
  /** A note for the model about the data on which the page was used; absent: on the copy from the last call. */
  place?: string;
  /** The end of the app's server's output meanwhile. */
  printed?: string;
}

/**
 * The app as the model tries it out in one run: a data copy that stays open between the calls, so that later calls see
 * the effects of earlier ones, and the person's data never changes.
 */
export interface TriedApp {
  /** Rejects as the browser does, and with the signal's reason. */
  use(request: UseRequest): Promise<TriedUse>;
  /** Closes the copy. Never rejects; must not be used afterwards. */
  close(): Promise<void>;
}

/** A data copy, and the state of the project from which it was made; it is used as long as that state is current. */
interface Held {
  copy: DataCopy;
  made: string;
  command: string;
  /** The date with which its server was started; absent: today. */
  day?: string;
}

/**
 * Creates the app that the model tries out.
 * @param own opens pages of the person's own app, for when no copy can be made
 * @param copies absent if no copies can be made
 */
export function createTriedApp(
  workspace: Workspace,
  own: NonNullable<Browser["use"]>,
  copies: DataCopies | undefined,
): TriedApp {
  let held: Promise<Held | string> | undefined;
  let calls: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const next = calls.then(act, act);
    calls = next.catch(() => undefined);
    return next;
  };

  /** Identifies the project's files, data and server, since a copy of an earlier state would show outdated content. */
  const standing = async (): Promise<string> =>
    JSON.stringify([
      await workspace.revision(),
      await workspace.dataDigest?.(),
      workspace.server?.command,
    ]);

  async function open(signal: AbortSignal): Promise<Held | string> {
    const server = workspace.server;
    if (!copies || server?.state !== "up") return "this machine makes none";
    const made = await standing();
    let copy: DataCopy | undefined;
    try {
      copy = await copies.open();
      if (!copy?.browser.use) return "this machine makes none";
      const how = { signal, alone: true };
      const elsewhere = () => workspace.server?.ports;
      const started = await startWithAllPorts(copy.workspace, server.command, how, elsewhere);
      if (started.state !== "up") throw new Error("the server does not start in one");
      const [shown] = server.ports;
      if (shown !== undefined) copy.workspace.showPort(shown);
      return { copy, made, command: server.command };
    } catch (error) {
      await copy?.close();
      signal.throwIfAborted();
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** @returns the copy, or the reason why there is none, and whether it differs from that of the previous call */
  async function current(signal: AbortSignal): Promise<{ place: Held | string; isNew: boolean }> {
    const last = await held?.catch(() => undefined);
    if (last && typeof last !== "string") {
      if (last.copy.workspace.server?.state === "up" && last.made === (await standing()))
        return { place: last, isNew: false };
      await last.copy.close();
    }
    held = open(signal);
    return { place: await held, isNew: last !== undefined && typeof last !== "string" };
  }

  /** Restarts the copy's server if it must run with another date; its data stays. */
  async function setDay(place: Held, date: Date | undefined, signal: AbortSignal): Promise<void> {
    const day = date?.toISOString();
    if (place.day === day) return;
    const { workspace: copied } = place.copy;
    const before = copied.server?.ports;
    delete place.day;
    const command = startAt(place.command, date);
    await startWithAllPorts(copied, command, { signal, alone: true }, () => before);
    if (day !== undefined) place.day = day;
  }

  return {
    use: (request) =>
      inTurn(async () => {
        const { place, isNew } = await current(request.signal);
        const { date } = beginningOf(request.steps);
        if (typeof place === "string") {
          const reason = clipLine(place, REASON_CHARS);
          const clock = date ? " Its server kept today's date." : "";
          const message = `No copy of the app's data could be made (${reason}): this was done in the person's own app, and what it wrote stays there.${clock}`;
          return { ...(await whilePrinting(workspace, () => own(request))), place: message };
        }
        const { workspace: copied, browser } = place.copy;
        await setDay(place, date, request.signal);
        const used = await whilePrinting(copied, () => browser.use!(request));
        return isNew
          ? {
              ...used,
              place:
                "The copy of the app's data was made anew, since files, data or server have changed: what earlier calls did in it is gone.",
            }
          : used;
      }),
    close: () =>
      inTurn(async () => {
        const last = await held?.catch(() => undefined);
        held = undefined;
        if (last && typeof last !== "string") await last.copy.close();
      }).catch(() => undefined),
  };
}

async function whilePrinting(workspace: Workspace, use: () => Promise<PageUse>): Promise<TriedUse> {
  let printed = "";
  const stop = workspace.listen((notice) => {
    if (notice.type === "server-output") printed = (printed + notice.text).slice(-PRINTED_CHARS);
  });
  try {
    const used = await use();
    return printed.trim() === "" ? used : { ...used, printed };
  } finally {
    stop();
  }
}

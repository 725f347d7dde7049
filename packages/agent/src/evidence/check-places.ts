import type { CheckReport } from "@treadle/protocol";
import { beginningOf } from "@treadle/protocol/checks";
import type { Check } from "../checks/parse-checks.ts";
import type { Browser, PageUseRequest } from "../ports/browser.ts";
import type { CopiedApp, LentCopy } from "./copied-app.ts";
import type { Observation } from "./observation.ts";
import { tryCheck, type CheckTry, type UsablePages } from "./try-check.ts";

/** Checks that run at the same time, each in a copy of its own. */
export const CHECKS_AT_ONCE = 3;

/** A try of a check, and what is known of the app's data since it began. */
export type PlacedTry = CheckTry & {
  /** Something in its copy may have changed the data. Absent: it was not tried in a copy. */
  wrote?: boolean;
  /** The app's data was written meanwhile; absent: that is not known. */
  isDataWritten?: boolean;
};

/** A check, what is reported of it, and what came of its last try. */
export interface RunCheck {
  check: Check;
  report: CheckReport;
  tried?: PlacedTry;
}

export type TryHow = Omit<PageUseRequest, "steps"> & {
  signal: AbortSignal;
  /** It is tried in a copy that nothing was tried in. */
  isNew?: boolean;
  /** Takes note of what the server of its copy ran. Never rejects. */
  takeServer?: (copy: LentCopy) => Promise<void>;
};

/** Where checks are tried, each with the data as the person has it. */
export interface CheckPlaces {
  /** Tries a check once. Rejects with the signal's reason only. */
  try(check: Check, how: TryHow): Promise<PlacedTry>;
  /**
   * The same in a copy of its own, and then `work` in that copy if the check holds.
   * @returns what `work` comes to; undefined where the check does not hold, or there are no copies
   */
  after<T>(
    check: Check,
    how: TryHow,
    work: (copy: LentCopy, tried: PlacedTry, pages: () => UsablePages) => Promise<T>,
  ): Promise<T | undefined>;
}

/**
 * @param app copies to try them in; absent: they are tried in the app that the person uses, and meet what others left
 * @param options.shown the port that has the page
 * @param options.startsEmpty whether each begins with an app that has no data yet, which only a copy can be
 */
export function createCheckPlaces(
  app: CopiedApp | undefined,
  { workspace }: Pick<Observation, "workspace">,
  use: NonNullable<Browser["use"]>,
  { shown, startsEmpty }: { shown: number; startsEmpty: boolean },
): CheckPlaces {
  const pagesIn = (copy: LentCopy): UsablePages => {
    // A server that listens wherever there is room has another port in each copy.
    const ports = copy.workspace.server?.ports ?? [];
    const port = ports.includes(shown) ? shown : (ports[0] ?? shown);
    return { use: copy.browser.use ?? use, port, workspace: copy.workspace };
  };

  /** Undefined where it cannot be told whether the app's data was written. */
  const digestOf = (copy: LentCopy | undefined) =>
    copy?.workspace.dataDigest?.().catch(() => undefined);

  async function within<T>(
    check: Check,
    { isNew, takeServer, ...how }: TryHow,
    then: (tried: PlacedTry, copy: LentCopy | undefined) => Promise<T>,
  ): Promise<T> {
    let copy: LentCopy | undefined;
    let isSpent = true;
    try {
      let before: string | undefined;
      const open = async () => {
        if (startsEmpty && !app)
          throw new Error("it starts from an app without data, and no copy of the app can be made");
        copy = await app?.lend({ isNew, startsEmpty, date: beginningOf(check.steps).date });
        if (how.stays?.length) before = await digestOf(copy);
        return copy ? pagesIn(copy) : { use, port: shown, workspace };
      };
      const seen = await tryCheck(open, check, how);
      if (copy) await takeServer?.(copy);
      how.signal.throwIfAborted();
      const after = before !== undefined ? await digestOf(copy) : undefined;
      const tried = { ...seen, ...(after !== undefined && { isDataWritten: after !== before }) };
      const result = await then(tried, copy);
      isSpent = tried.state !== "held";
      return result;
    } finally {
      await copy?.giveBack(isSpent);
    }
  }

  return {
    try: (check, how) =>
      within(check, how, async (tried, copy) => ({
        ...tried,
        ...(copy && { wrote: await copy.isTouched().catch(() => true) }),
      })),
    after: (check, how, work) =>
      within(check, how, async (tried, copy) =>
        copy && tried.state === "held" ? work(copy, tried, () => pagesIn(copy)) : undefined,
      ),
  };
}

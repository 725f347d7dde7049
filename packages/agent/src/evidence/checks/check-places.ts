import type { CheckReport } from "@treadle/protocol";
import { beginningOf } from "@treadle/protocol/checks";
import type { Check } from "../../checks/parse-checks.ts";
import type { Browser, PageUseRequest } from "../../ports/browser.ts";
import type { CopiedApp, LentCopy } from "../looks/copied-app.ts";
import type { Observation } from "../observation.ts";
import { tryCheck, type CheckTry, type UsablePages } from "./try-check.ts";

/** Number of checks that run at the same time, each in its own copy. */
export const CHECKS_AT_ONCE = 3;

/** One run of a check, and what is known of changes to the app's data since it began. */
export type PlacedTry = CheckTry & {
  /** Whether the data in the copy may have changed. Absent if the check did not run in a copy. */
  wrote?: boolean;
  /** Whether the app's data was written during the run. Absent if that is not known. */
  isDataWritten?: boolean;
};

/** A check with its report and the result of its last run. */
export interface RunCheck {
  check: Check;
  report: CheckReport;
  tried?: PlacedTry;
}

export type TryHow = Omit<PageUseRequest, "steps"> & {
  signal: AbortSignal;
  /** Runs the check in a copy that has not been used before. */
  isNew?: boolean;
  /** Records which code the copy's server ran. Never rejects. */
  takeServer?: (copy: LentCopy) => Promise<void>;
};

/** Runs checks, each on the person's current data. */
export interface CheckPlaces {
  /** Runs a check once. Rejects with the signal's reason only. */
  try(check: Check, how: TryHow): Promise<PlacedTry>;
  /**
   * Runs a check in its own copy, and then `work` in that copy if the check passes.
   * @returns the result of `work`, or undefined if the check fails or there are no copies
   */
  after<T>(
    check: Check,
    how: TryHow,
    work: (copy: LentCopy, tried: PlacedTry, pages: () => UsablePages) => Promise<T>,
  ): Promise<T | undefined>;
}

/**
 * @param app copies to run them in. Without it they run in the person's own app and see what earlier checks left there
 * @param options.shown the port that serves the page
 * @param options.startsEmpty whether each check begins without any app data, which is only possible in a copy
 */
export function createCheckPlaces(
  app: CopiedApp | undefined,
  { workspace }: Pick<Observation, "workspace">,
  use: NonNullable<Browser["use"]>,
  { shown, startsEmpty }: { shown: number; startsEmpty: boolean },
): CheckPlaces {
  const pagesIn = (copy: LentCopy): UsablePages => {
    // A server that listens on any free port has a different port in each copy.
    const ports = copy.workspace.server?.ports ?? [];
    const port = ports.includes(shown) ? shown : (ports[0] ?? shown);
    return { use: copy.browser.use ?? use, port, workspace: copy.workspace };
  };

  /** A digest of the data of a copy's app; undefined if it is unknown, so that writes go unnoticed. */
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
      const tried = { ...seen, isDataWritten: after === undefined ? undefined : after !== before };
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

import type { Finding } from "@treadle/protocol";
import { NEW_VALUE } from "@treadle/protocol/checks";
import { isSqliteFile } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import type { Check } from "../../checks/parse-checks.ts";
import { clipLine } from "../../text/clip.ts";
import type { CheckPlaces, TryHow } from "./check-places.ts";
import type { CheckTry } from "./try-check.ts";
import { typedTexts } from "./typed-texts.ts";

const SUBJECT_CHARS = 200;
/** Milliseconds within which content must reappear once the reopened page is idle. */
const THERE_MS = 1_500;

/** The indices of the steps whose expectation is repeated after the check: what it typed and then saw. */
export const lastingSteps = ({ steps }: Check): number[] => [
  ...new Set(typedTexts(steps).flatMap(({ expectedAt }) => expectedAt)),
];

/**
 * Returns the texts that a check added and a reload lost, and those that never reached the app's
 * database.
 * @param database whether the app has a database, and whether it was written meanwhile; absent: it
 * has none
 */
export function lostTexts(
  { name, steps }: Check,
  { used }: CheckTry,
  database: { isWritten: boolean } | undefined,
): Finding[] {
  const { stayed = [], gone = [], address } = used ?? {};
  const about = (code: Finding["code"], text: string): Finding => ({
    code,
    subject: clipLine(text, SUBJECT_CHARS),
    path: address,
    check: name,
  });
  return typedTexts(steps).flatMap(({ text, expectedAt }) => {
    const isThere = expectedAt.some((index) => stayed.includes(index));
    const isGone = !isThere && expectedAt.some((index) => gone.includes(index));
    return [
      ...(isGone ? [about("gone-after-reload", text)] : []),
      ...(database && !database.isWritten && (isThere || isGone)
        ? [about("never-written", text)]
        : []),
    ];
  });
}

/** Whether the app stores data in a database: SQLite's, or the copy's own PostgreSQL. */
export async function hasDatabase(workspace: Workspace): Promise<boolean> {
  if ((await workspace.databaseDigest?.().catch(() => undefined)) !== undefined) return true;
  const { files } = await workspace.files.list();
  return [...files.map(({ path }) => path), ...workspace.dataFiles()].some(isSqliteFile);
}

/**
 * Runs a check again, restarts the app's server in that copy, and looks for the added texts in a
 * fresh browser context. Texts that such a context does not show even before the restart, such as
 * private ones, are ignored.
 * @param other the check as it is run, with other values or unchanged
 * @param how.stays the expectations to repeat
 * @returns the lost texts; undefined if the check fails
 */
export async function lostByRestart(
  places: CheckPlaces,
  check: Check,
  other: Check,
  how: TryHow & { stays: readonly number[] },
): Promise<Finding[] | undefined> {
  const { signal } = how;
  return places.after(other, how, async (copy, { used }, pages): Promise<Finding[]> => {
    const { stayed = [], address = "/" } = used ?? {};
    const last = stayed.at(-1) ?? -1;
    const step = other.steps[last];
    const typed = typedTexts(check.steps).find(({ expectedAt }) => expectedAt.includes(last));
    // A value that is fresh for each run would differ in the next.
    if (!step || !typed || typed.text.includes(NEW_VALUE)) return [];
    const isThere = async () => {
      const { use, port } = pages();
      const { steps } = await use({
        path: address,
        port,
        steps: [step],
        signal,
        expectMs: THERE_MS,
      });
      return steps.length === 1 && steps[0]!.ok;
    };
    if (!(await isThere())) return [];
    const server = await copy.restart();
    if (server.state !== "up" || server.ports.length === 0 || (await isThere())) return [];
    const subject = clipLine(typed.text, SUBJECT_CHARS);
    return [{ code: "gone-after-restart", subject, path: address, check: check.name }];
  });
}

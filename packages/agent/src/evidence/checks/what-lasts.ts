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
/** Milliseconds that something which was there is given to be there again, once the page that was opened anew rests. */
const THERE_MS = 1_500;

/** Indices of the steps whose expectation is looked for once more after the check: what it typed and then saw. */
export const lastingSteps = ({ steps }: Check): number[] => [
  ...new Set(typedTexts(steps).flatMap(({ expectedAt }) => expectedAt)),
];

/**
 * What a check added and a reload took away, and what it added that the app's database knows nothing of.
 * @param database whether the app has a database, and whether it was written meanwhile; absent: it has none
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

/** Whether the app keeps data in a database: of SQLite's, or the copy's own of PostgreSQL. */
export async function hasDatabase(workspace: Workspace): Promise<boolean> {
  if ((await workspace.databaseDigest?.().catch(() => undefined)) !== undefined) return true;
  const { files } = await workspace.files.list();
  return [...files.map(({ path }) => path), ...workspace.dataFiles()].some(isSqliteFile);
}

/**
 * Tries a check once more, starts the app's server again in that copy, and looks for what the check added in a fresh browser
 * context. What is not there in one even before, such as what only one person may see, is not looked for.
 * @param other the check as it is tried: with other values, or as it is
 * @param how.stays what of the check is to last
 * @returns what is gone; undefined where the check does not hold
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
    // A value that is fresh for each try would be another one in the next.
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

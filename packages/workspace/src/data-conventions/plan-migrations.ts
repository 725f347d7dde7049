import type { Applied, MigrationFile } from "./types.ts";

/** Names of migrations: `0001_tasks.sql`, `20260102030405_tasks.sql`, `1.sql`. */
export const NUMBERED = /^(\d{1,14})(?:[_.-].*)?\.sql$/i;
/** Larger numbers are timestamps, which are not consecutive. */
const COUNTED = 99_999_999;
/** How many missing numbers a message lists at most. */
const MOST_TOLD = 5;

/** The number in a migration's name; undefined if it has none. */
export function migrationNumber(name: string): number | undefined {
  const match = NUMBERED.exec(name);
  return match ? Number(match[1]) : undefined;
}

/** Pads a number to as many digits as `name` starts with, or to four if it starts with none. */
export const numberLike = (number: number, name: string) =>
  String(number).padStart(/^\d*/.exec(name)?.[0].length || 4, "0");

/**
 * Which migrations have yet to run, in order. Gaps in the numbers are allowed: a migration whose file was removed with
 * its sources has run on some databases of the app and not on others, and the next one must work on both.
 * @param files in the order of their numbers
 * @returns the migrations, or a sentence about what to do if the applied migrations and the files contradict each other.
 * `note` lists applied migrations without a file, and numbers that are neither
 */
export function planMigrations(
  files: readonly MigrationFile[],
  applied: readonly Applied[],
): { pending: MigrationFile[]; note?: string } | { problem: string } {
  for (const [index, file] of files.entries()) {
    const before = files[index - 1];
    if (before?.number === file.number)
      return { problem: `${before.path} and ${file.path} have the same number.` };
  }
  const ran = new Map(applied.map((one) => [one.number, one]));
  for (const file of files) {
    const before = ran.get(file.number);
    if (!before || before.digest === file.digest) continue;
    return {
      problem:
        before.name === file.name
          ? `${file.path} was changed after it had run. Put it back as it was, and write what is new into ${next(files, applied)}.`
          : `${file.path} has the number of ${before.name}, which has run. Call it ${next(files, applied)}.`,
    };
  }
  const pending = files.filter(({ number }) => !ran.has(number));
  const last = Math.max(0, ...applied.map(({ number }) => number));
  const late = pending.find(({ number }) => number < last);
  if (late)
    return {
      problem: `${late.path} is new, and ${ran.get(last)!.name} has run already: call it ${next(files, applied)}.`,
    };
  const gone = applied.filter(({ number }) => !files.some((file) => file.number === number));
  const names = gone.map(({ name }) => name).join(", ");
  const notes = [
    ...(gone.length === 0 ? [] : [`${names} has run, and is not among the files any more.`]),
    ...leftOut(files, ran),
  ];
  return notes.length === 0 ? { pending } : { pending, note: notes.join(" ") };
}

/** A message about numbers that belong to no file and no applied migration; an empty list if there are none. */
function leftOut(files: readonly MigrationFile[], ran: ReadonlyMap<number, unknown>): string[] {
  const missing: string[] = [];
  let expected = 1;
  for (const { number, name } of files) {
    if (number > COUNTED) break;
    for (; expected < number && missing.length < MOST_TOLD; expected++)
      if (!ran.has(expected)) missing.push(numberLike(expected, name));
    expected = number + 1;
  }
  return missing.length === 0 ? [] : [`There is no migration ${missing.join(", ")}.`];
}

/** The suggested name of the next migration. */
function next(files: readonly MigrationFile[], applied: readonly Applied[]): string {
  const all = [...files, ...applied];
  const last = all.reduce((a, b) => (b.number > a.number ? b : a));
  return last.number > COUNTED
    ? "one with a later number"
    : `${numberLike(last.number + 1, last.name)}_….sql`;
}

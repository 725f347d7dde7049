import { formatUnifiedDiff } from "@treadle/dialects/diff";
import type { ProtectedChange, ProjectPath } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { toldToModel } from "./told-to-model.ts";
import { keepCheckpoint } from "../project/keep-checkpoint.ts";
import type { ProjectInRun } from "../project/project-in-run.ts";
import type { RunScope } from "../ports/run-scope.ts";
import { clipLine, clipMiddle } from "../text/clip.ts";
import { decodeText } from "../text/decode-text.ts";
import type { GuardedChange, FileGuard } from "./file-guard.ts";
import type { PersonsFiles } from "./persons-files.ts";
import { protectedVersion } from "./protected-files.ts";

/**
 * Maximum length of the reported list of paths, and of one file's diff in the log, in characters.
 */
const TOLD = 600;
const DIFF = 4_000;
/** Maximum size of a file whose diff is shown, in bytes. */
const DIFFED = 64_000;
/** Maximum number of files in one event. */
const SHOWN = 50;

/** Watches protected files while a run's commands run. */
export interface ProtectedWatch {
  guard: FileGuard;
  project: ProjectInRun;
  /** Paths that the person wrote during the run, with their versions. */
  personWrites: ReadonlyMap<ProjectPath, string>;
  /**
   * Resolves once no save by the person to these paths is pending; `personWrites` then includes
   * them.
   */
  personSettled?: ((paths: readonly ProjectPath[]) => Promise<void>) | undefined;
  persons: PersonsFiles;
}

/**
 * Restores protected files that a command or a server changed. The changed versions are in a
 * checkpoint and are also saved separately for the person, who is informed. May reject if the
 * workspace fails.
 * @returns the message for the model, empty if nothing changed
 */
export async function putBackChanged(
  { guard, project, personWrites, personSettled, persons }: ProtectedWatch,
  scope: RunScope,
): Promise<string> {
  const found = await guard.changed();
  // The author is known once the person's pending saves are recorded.
  await personSettled?.(found.map(({ path }) => path));
  for (const [path, version] of personWrites)
    if (persons.isPersons?.(path, version) ?? true) guard.agreed(path, version);
  const changed = found.filter(({ path, current }) => {
    const version = current?.version ?? "";
    if (!persons.isPersons && personWrites.get(path) === version) return false;
    // The watcher reports a recent save with a delay.
    if (!persons.isPersons?.(path, version)) return true;
    guard.agreed(path, version);
    return false;
  });
  if (changed.length === 0) return "";
  const names = changed.map(({ path }) => path);
  const files = clipLine(names.join(", "), 80);
  await keepCheckpoint(project, sentence("made-of", { files }), scope);
  const back: ProtectedChange[] = [];
  const left: ProtectedChange[] = [];
  for (const file of changed) {
    const change = await sharedWithPerson(persons, file);
    const version = await guard.putBack(file);
    if (version !== undefined) back.push({ ...change, left: version });
    else left.push(asItStands(file));
  }
  const report = (state: "stands" | "put-back", files: ProtectedChange[]) => {
    if (files.length === 0) return;
    scope.emit({ type: "protected-changed", run: scope.run, state, files: files.slice(0, SHOWN) });
  };
  report("put-back", back);
  report("stands", left);
  const list = (files: ProtectedChange[]) =>
    clipLine(files.map(({ path }) => path).join(", "), TOLD);
  return [
    back.length === 0 ? "" : `\nPut back as they were: ${list(back)}.`,
    left.length === 0 ? "" : `\nCould not be put back: ${list(left)}.`,
    " Agents, editors, git or CI obey them outside this project, so a command may not change them, nor the scripts of package.json that run at an install. If that is really needed, use write_file: the person is then asked.",
  ].join("");
}

const asItStands = ({ path, current }: GuardedChange): ProtectedChange => ({
  path,
  version: current ? protectedVersion(path, current) : "",
  told: toldToModel(path),
});

/** The report about a file to the person, with its saved version. */
async function sharedWithPerson(
  persons: PersonsFiles,
  { path, was, current }: GuardedChange,
): Promise<ProtectedChange> {
  const change: ProtectedChange = { path, told: toldToModel(path) };
  const diff = diffOf(was?.bytes, current?.bytes);
  if (diff !== "") change.diff = diff;
  if (!current) return { ...change, version: "" };
  const isKept = current.bytes && (await persons.keepPutBack?.(current.bytes));
  return isKept ? { ...change, version: current.version } : change;
}

function diffOf(
  was: Uint8Array = new Uint8Array(),
  current: Uint8Array = new Uint8Array(),
): string {
  if (was.byteLength > DIFFED || current.byteLength > DIFFED) return "";
  const [before, after] = [decodeText(was), decodeText(current)];
  if (before === undefined || after === undefined) return "";
  return clipMiddle(formatUnifiedDiff(before, after), DIFF);
}

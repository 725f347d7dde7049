import { createHash } from "node:crypto";
import type { Gate, GateFinding } from "@treadle/protocol";
import { checkAdvisories } from "./check-advisories.ts";
import { checkLockFile } from "./check-lock-file.ts";
import { findSecrets } from "./find-secrets.ts";
import { findWeakSecrets } from "./weak-secrets.ts";
import { readLockFile, type LockFile } from "./read-lock-file.ts";
import type { Found, GateFile, NamedValue } from "./types.ts";

/** Findings of one check that are told. */
const TOLD = 30;

/** What of a release can be judged without running it. */
export interface ReleaseFiles {
  sources: readonly GateFile[];
  /** What everybody gets who asks. */
  output: readonly GateFile[];
  /** The project's settings and `.env`. */
  own: readonly NamedValue[];
  lockFile?: LockFile | undefined;
  /** Whether it uses packages at all. */
  hasPackages: boolean;
  /** What the registry answered about the packages of the lock file; undefined where it gave no answer. */
  advisories?: unknown;
}

export async function checkFiles({
  sources,
  output,
  own,
  lockFile,
  hasPackages,
  advisories,
}: ReleaseFiles): Promise<Gate> {
  const read = lockFile && readLockFile(lockFile);
  const locked = read && checkLockFile(read);
  const asked = read && checkAdvisories(advisories, read);
  const written = await findSecrets(sources, "source");
  // What has a shape or is random was told by it.
  const isTold = new Set(written.map(({ where }) => where));
  const found = [
    ...written,
    ...findWeakSecrets(sources, own).filter(({ where }) => !isTold.has(where)),
    ...(await findSecrets(output, "output", own)),
    ...(locked?.found ?? []),
    ...(asked?.found ?? []),
  ];
  const unchecked = [...(locked?.unchecked ?? []), ...(asked?.unchecked ?? [])];
  if (lockFile && !read)
    unchecked.push(`${lockFile.file} could not be read, so its packages were not checked.`);
  else if (hasPackages && !lockFile)
    unchecked.push(
      "There is no lock file of a known kind, so licences, checksums and known advisories were not checked.",
    );
  return gateOf(found, unchecked);
}

/** With ids, each once, the serious ones first. */
export function gateOf(found: readonly Found[], unchecked: readonly string[]): Gate {
  const told = new Map<string, GateFinding>();
  const counts = new Map<string, number>();
  const left = new Set<string>();
  for (const one of found.toSorted((a, b) => rank(a) - rank(b))) {
    const id = createHash("sha256")
      .update(JSON.stringify([one.check, one.title, one.where]))
      .digest("hex")
      .slice(0, 12);
    if (told.has(id)) continue;
    const count = (counts.get(one.check) ?? 0) + 1;
    counts.set(one.check, count);
    if (count > TOLD) left.add(`Only the first ${TOLD} findings about ${one.check} are listed.`);
    else told.set(id, { ...one, id });
  }
  return { findings: [...told.values()], unchecked: [...unchecked, ...left] };
}

/** The same, with what was found later. */
export const withFound = (
  gate: Gate,
  more: { found: readonly Found[]; unchecked: readonly string[] },
): Gate => ({
  ...gate,
  ...gateOf([...gate.findings, ...more.found], [...gate.unchecked, ...more.unchecked]),
});

const rank = ({ severity }: Found) => (severity === "serious" ? 0 : 1);

/** Whether somebody has to decide. */
export const isSerious = ({ findings }: Gate) =>
  findings.some(({ severity }) => severity === "serious");

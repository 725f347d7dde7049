import type { Gate } from "@treadle/protocol";
import { checkAdvisories } from "../packages/check-advisories.ts";
import { checkLockFile } from "../packages/check-lock-file.ts";
import { parse as findSecrets } from "../secrets/find-secrets.parser.ts";
import { gateOf } from "../gate-of.ts";
import type { LockFile } from "../packages/lock-files.ts";
import { findWeakSecrets } from "../secrets/weak-secrets.ts";
import { parse as readLockFile } from "../packages/read-lock-file.parser.ts";
import type { GateFile, NamedValue } from "../types.ts";

/** The parts of a release that can be judged without running it. */
export interface ReleaseFiles {
  sources: readonly GateFile[];
  /** The files that anyone can request. */
  output: readonly GateFile[];
  /** Values of the project's secrets and of `.env`, which `output` must not contain. */
  own: readonly NamedValue[];
  lockFile?: LockFile | undefined;
  /** Whether it uses packages at all. */
  hasPackages: boolean;
  /** The registry's answer about the packages of the lock file; undefined if there was none. */
  advisories?: unknown;
}

/** All that the gate can tell without running the release: secrets, licences, checksums, advisories. */
export async function parse({
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
  // A place with a secret of a known format was already reported.
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

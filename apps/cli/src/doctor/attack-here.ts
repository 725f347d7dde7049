/**
 * Attacks on this machine itself: archives and projects with paths that lead out of where `treadle`
 * reads and writes for the person.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { copyMade } from "@treadle/common/copy-made";
import { readMadeFile } from "@treadle/common/made-file";
import { writeReport } from "../report/write-report.ts";
import { faultOfRestored } from "../backup/restored-folder.ts";
import { unpack } from "../backup/unpack.ts";

interface Here {
  id: string;
  what: string;
  /** Makes the attempt. Resolves with how it succeeded; empty if it did not. @param folder empty, removed afterwards */
  act(folder: string): Promise<string>;
}

/** Limit for unpacked data, in bytes. */
const ROOM = 16 * 1024 * 1024;
const MINE = "what is not the project's";

/** Writes a report where the project has put something in the way. */
const reported = (lay: (project: string, ownFolder: string) => void) => async (folder: string) => {
  const [project, ownFolder] = [join(folder, "project"), join(folder, "mine")];
  for (const one of [project, ownFolder]) mkdirSync(one);
  writeFileSync(join(ownFolder, "report.md"), MINE);
  lay(project, ownFolder);
  await writeReport({
    folder: join(project, "report"),
    directory: project,
    evidence: untriedEvidence("r1"),
    picture: async () => undefined,
  }).catch(() => undefined);
  return readFileSync(join(ownFolder, "report.md"), "utf8") === MINE ? "" : "it was overwritten";
};

/** Restores a foreign backup with the content of `in`. */
const restored =
  (lay: (inside: string, folder: string) => void, ...words: string[]) =>
  async (folder: string) => {
    const [inside, out] = [join(folder, "in"), join(folder, "out")];
    for (const one of [inside, out]) mkdirSync(one);
    lay(inside, folder);
    const file = join(folder, "x.tar.gz");
    execFileSync("tar", ["-czPf", file, "-C", inside, ...words, "."], { stdio: "ignore" });
    const refused = await unpack(file, out, { room: ROOM }).then(
      () => faultOfRestored(out),
      (error: Error) => error.message,
    );
    if (existsSync(join(folder, "escaped"))) return "it wrote beside its folder";
    return refused === undefined ? "it was taken" : "";
  };

/** Handles a project with this content as a benchmark or a container does. */
const handedOver =
  (lay: (project: string) => void, act: (project: string, copy: string) => Promise<string>) =>
  async (folder: string) => {
    const project = join(folder, "project");
    mkdirSync(project);
    lay(project);
    return act(project, join(folder, "copy"));
  };

const readsNothing = async (project: string) =>
  readMadeFile(project, "package.json") === undefined ? "" : "it was read";

const ATTEMPTS: readonly Here[] = [
  {
    id: "A108",
    what: "a pipe where a benchmark reads how the app starts, which would make it wait",
    act: handedOver(
      (project) => execFileSync("mkfifo", [join(project, "package.json")]),
      readsNothing,
    ),
  },
  {
    id: "A108",
    what: "a link to a device without end, where it reads that",
    act: handedOver(
      (project) => symlinkSync("/dev/zero", join(project, "package.json")),
      readsNothing,
    ),
  },
  {
    id: "A108",
    what: "an empty file of a terabyte, in what a benchmark copies",
    act: handedOver(
      (project) => execFileSync("truncate", ["-s", "1T", join(project, "holes")]),
      (project, copy) =>
        copyMade(project, copy, new Set()).then(
          () => "it was copied",
          () => "",
        ),
    ),
  },
  {
    id: "A84",
    what: "a link out in place of a report's folder",
    act: reported((project, ownFolder) => symlinkSync(ownFolder, join(project, "report"))),
  },
  {
    id: "A84",
    what: "a link out in place of the report",
    act: reported((project, ownFolder) => {
      mkdirSync(join(project, "report"));
      symlinkSync(join(ownFolder, "report.md"), join(project, "report", "report.md"));
    }),
  },
  {
    id: "A84",
    what: "a pipe in place of the report, which would make it wait",
    act: reported((project) => {
      mkdirSync(join(project, "report"));
      execFileSync("mkfifo", [join(project, "report", "report.md")]);
    }),
  },
  {
    id: "A85",
    what: "a backup with a link where the server writes",
    act: restored((inside, folder) => symlinkSync(folder, join(inside, "projects"))),
  },
  {
    id: "A85",
    what: "a backup with names that lead out",
    act: restored(
      (inside) => writeFileSync(join(inside, "x"), ""),
      "--transform=s,^./x,../escaped,",
    ),
  },
  {
    id: "A85",
    what: "a backup with a program of another account",
    act: restored((inside) => {
      mkdirSync(join(inside, "projects", "p", "files"), { recursive: true });
      writeFileSync(join(inside, "projects", "p", "files", "su"), "");
      chmodSync(join(inside, "projects", "p", "files", "su"), 0o6755);
    }),
  },
  {
    id: "A85",
    what: "a backup that is a bomb",
    act: async (folder) => {
      const outcome = await restored((inside) =>
        execFileSync("truncate", ["-s", String(4 * ROOM), join(inside, "bomb")]),
      )(folder);
      const bomb = join(folder, "out", "bomb");
      return existsSync(bomb) && statSync(bomb).size === 4 * ROOM ? "it was taken" : outcome;
    },
  },
];

/** Makes each attempt in a temporary folder. */
export async function attackHere(
  onResult: (attempt: { id: string; what: string }, outcome: string) => void,
): Promise<void> {
  for (const { id, what, act } of ATTEMPTS) {
    const folder = mkdtempSync(join(tmpdir(), "treadle-attack-here-"));
    try {
      onResult({ id, what }, await act(folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Any server that is reached by ssh and has rsync: the files of a site into a folder (https://download.samba.org/pub/rsync/rsync.1). */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { failureOfGit, type GitAddress, reachGit, readGitAddress, sshCommand } from "@treadle/git";
import { runProgram, type Ended } from "./run-program.ts";
import type { Target } from "./target.ts";

/** Marks a folder that Treadle fills; nothing is removed from a folder without it. */
const MARK = ".treadle-release";
/** An absolute path of at least two parts that the remote shell reads as a plain word. */
const PLAIN_PATH = /^(?:\/[\w@+-][\w.@+-]*){2,}\/?$/;

export const rsync: Target = {
  id: "rsync",
  name: "Any server, by rsync",
  carries: ["site"],
  fields: [
    { name: "folder", required: true },
    { name: "address", required: false },
  ],
  tokenFor: () => undefined,
  async send(release, sending) {
    if (release.kind !== "site") throw new Error("rsync takes only sites.");
    const { place, signal, onSaid, logins, sshFolder } = sending;
    const { address, path } = folderOf(place.folder ?? "");
    await logins.publicKey();
    const reached = await reachServer(address, place.local === true);
    const ssh = sshCommand({ address, sshFolder }, reached);
    // The address is resolved once; the host's key is still looked up under its name.
    const remote = `${address.user === undefined ? "" : `${address.user}@`}${address.host}:${path}/`;
    const env = { PATH: process.env.PATH, LANG: "C.UTF-8", HOME: sshFolder, SSH_AUTH_SOCK: process.env.SSH_AUTH_SOCK }; // prettier-ignore
    const shell = ["-e", address.port === 22 ? ssh : `${ssh} -p ${address.port}`];
    const run = (words: string[], onOutput: (text: string) => void) => runProgram("rsync", [...shell, ...words], { env, signal, onOutput }); // prettier-ignore
    const reportProgress = (text: string) => {
      const percent = /(\d{1,3})%/.exec(text)?.[1];
      if (percent !== undefined) onSaid(sentence("sending-percent", { percent }));
    };
    onSaid(sentence("sending-asking", { name: address.host }));
    const listing = readListing();
    const there = await run(["--list-only", remote], listing.read);
    // 23: the folder does not exist yet, or could not be listed completely.
    if (there.code !== 0 && there.code !== 23) throw failureOf(there, address);
    if (listing.isFilled() && !listing.isOurs())
      throw new ApiFailure(
        409,
        "folder-taken",
        sentence("folder-taken", { path, host: address.host }),
      );
    const scratch = await mkdtemp(join(tmpdir(), "treadle-release-"));
    try {
      await writeFile(join(scratch, MARK), `${release.number} ${release.revision}\n`);
      // The mark is sent first, so that an interrupted transfer can be continued.
      if (!listing.isOurs()) {
        const marked = await run(
          ["--recursive", "--chmod=D755,F644", "--", `${scratch}/`, remote],
          reportProgress,
        );
        if (marked.code !== 0) throw failureOf(marked, address);
      }
      onSaid(sentence("sending-percent", { percent: 0 }));
      const sent = await run(
        [
          "--recursive",
          "--times",
          "--checksum",
          "--chmod=D755,F644",
          "--delete-delay",
          "--delay-updates",
          "--info=progress2",
          "--",
          `${release.folder}/`,
          `${scratch}/`,
          remote,
        ],
        reportProgress,
      );
      if (sent.code !== 0) throw failureOf(sent, address);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
    return { address: place.address };
  },
};

/**
 * Parses a folder on a server, such as `user@host:/srv/www`.
 * @throws ApiFailure 400 `bad-place`
 */
function folderOf(text: string): { address: GitAddress; path: string } {
  const wrong = () =>
    new ApiFailure(400, "bad-place", sentence("place-invalid", { text, kind: "folder" }));
  // Without a slash the path would be relative to a home folder.
  if (!text.startsWith("ssh://") && !/^[^/]+:\//.test(text)) throw wrong();
  let address: GitAddress;
  try {
    address = readGitAddress(text);
  } catch {
    throw wrong();
  }
  const path = URL.parse(address.url)?.pathname.replace(/\/+$/, "") ?? "";
  if (address.kind !== "ssh" || !PLAIN_PATH.test(path)) throw wrong();
  return { address, path };
}

async function reachServer(address: GitAddress, local: boolean): Promise<string> {
  try {
    return await reachGit(address, local);
  } catch (error) {
    if (error instanceof ApiFailure)
      throw new ApiFailure(error.status, error.code.replace(/^git-/, ""), error.sentence);
    throw error;
  }
}

/** Parses a listing while it is printed, since the beginning of a long one is not kept. */
function readListing() {
  let left = "";
  const found = { any: false, mark: false };
  return {
    read(text: string) {
      const lines = (left + text).split("\n");
      left = lines.pop() ?? "";
      for (const line of lines) {
        // The last column is a name, and a dot for the folder itself.
        const name = /^[-dlcbps][rwxsStT-]{9}\s+[\d,]+\s+\S+\s+\S+\s(.*)$/.exec(line)?.[1];
        if (name === undefined || name === ".") continue;
        found.any = true;
        if (name === MARK) found.mark = true;
      }
    },
    isFilled: () => found.any,
    isOurs: () => found.mark,
  };
}

function failureOf({ complaint, code }: Ended, address: GitAddress): ApiFailure {
  if (code === 127 || /rsync: (?:command )?not found|rsync: No such file/i.test(complaint))
    return new ApiFailure(
      502,
      "program-missing",
      sentence("program-missing", { program: "rsync", host: address.host }),
    );
  const failure = failureOfGit(complaint, address, "rsync");
  return new ApiFailure(failure.status, failure.code.replace(/^git-/, "host-"), failure.sentence);
}

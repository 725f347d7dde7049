import { join } from "node:path";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { checkBranch, fetchBranch, FETCHED, openRepository } from "@treadle/git";
import type { Remote } from "@treadle/git";
import { releaseTree } from "./release-tree.ts";
import type { ReleaseToSend, Sending } from "./target.ts";

/** The commit trailer that marks a branch as Treadle's. */
const MARK = "Treadle-Release:";

/**
 * Pushes a release to a branch of a repository: exactly its files, as a commit on top of the last
 * one. A branch with commits by others is left alone.
 * @returns the commit, which may be the existing one
 * @throws ApiFailure `branch-taken`, and errors of git's requests
 */
export async function pushRelease(
  release: ReleaseToSend,
  { remote, branch, added }: { remote: Remote; branch: string; added: Parameters<typeof releaseTree>[2] }, // prettier-ignore
  { folder, signal, onSaid }: Pick<Sending, "folder" | "signal" | "onSaid">,
): Promise<string> {
  const name = checkBranch(branch);
  const repository = await openRepository(join(folder, "elsewhere.git"));
  const { url } = remote.address;
  onSaid(sentence("sending-asking", { name: remote.address.host }));
  const words = ["ls-remote", "--", url, `refs/heads/${name}`];
  const isThere = (await repository.line(words, { remote, signal })) !== "";
  const before = isThere ? await fetchBranch(repository, remote, name, { signal }) : undefined;
  if (before !== undefined) {
    const message = await repository.line(["log", "-1", "--format=%B", FETCHED]);
    if (!message.includes(MARK))
      throw new ApiFailure(409, "branch-taken", sentence("branch-taken", { branch: name }));
  }
  const tree = await releaseTree(repository, release, added);
  const standing = before && (await repository.line(["rev-parse", `${before}^{tree}`]));
  if (before !== undefined && standing === tree) return before;
  const { number, revision } = release;
  const commit = await repository.line(
    ["commit-tree", tree, ...(before === undefined ? [] : ["-p", before]), "-F", "-"],
    { input: `Release ${number}\n\n${MARK} ${number} ${revision}\n` },
  );
  onSaid(sentence("sending-pushing", { what: name }));
  const spec = `${commit}:refs/heads/${name}`;
  await repository.git(["push", "--porcelain", "--no-verify", "--", url, spec], { remote, signal });
  return commit;
}

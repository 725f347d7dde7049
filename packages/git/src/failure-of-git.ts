import { plainOutput, visibleText } from "@treadle/protocol/safe-text";
import { ApiFailure } from "@treadle/common";
import type { GitAddress } from "./address.ts";

type Sentence = (host: string) => string;

/** What git prints, and what it means to a person. The first that fits. */
const KNOWN: [said: RegExp, status: number, code: string, sentence: Sentence][] = [
  [
    /Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|error: 401|unable to get password/i,
    409,
    "git-login",
    (host) => `${host} needs a name and a password (or a token) that may do this.`,
  ],
  [
    /Permission denied \(|Could not read from remote repository\.[^]*publickey/i,
    409,
    "git-login",
    (host) => `${host} does not know the key. Add Treadle's public key there, or use https.`,
  ],
  [
    /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i,
    409,
    "git-host-key",
    (host) =>
      `${host} shows a different key than before. If that is right, remove the old one from known_hosts in Treadle's data folder.`,
  ],
  [
    /error: 403|Access denied|not allowed to (?:push|upload)|protected branch|pre-receive hook declined|denied to/i,
    403,
    "git-refused",
    (host) => `${host} knows who asks, but does not allow it.`,
  ],
  [
    /error: 30\d|unable to update url base from redirection/i,
    409,
    "git-redirect",
    (host) => `${host} redirects to another address. Type that one; it often ends in .git.`,
  ],
  [
    /not found|find remote ref|error: 404|does not appear to be a git repository|does not exist/i,
    404,
    "git-not-found",
    (host) => `${host} has no such repository or branch, or hides it from you.`,
  ],
  [
    /\[rejected\]|non-fast-forward|fetch first|stale info|\[remote rejected\]/i,
    409,
    "git-moved",
    () => "Somebody else has pushed to that branch meanwhile. Pull first; nothing was overwritten.",
  ],
  [
    /certificate|SSL|TLS/i,
    502,
    "git-certificate",
    (host) => `The certificate of ${host} was not accepted.`,
  ],
  [
    /No space left on device|Disk quota/i,
    507,
    "disk",
    () => "The disk is full. Free some space and try again.",
  ],
  [
    /Could not resolve host|Failed to connect|Connection refused|timed out|No route|Couldn't connect/i,
    502,
    "git-unreachable",
    (host) => `Nothing answers at ${host}. Check the address and the network.`,
  ],
  [
    /early EOF|hung up|RPC failed|reset by peer|unexpected disconnect|transfer closed|Empty reply|invalid index-pack|bytes of body are still expected|Broken pipe|closed by remote/i,
    502,
    "git-cut",
    (host) => `The connection to ${host} was cut. Nothing was changed; try again.`,
  ],
  [
    /fsck error|bad object|hasDotgit|fatal: fsck/i,
    422,
    "git-bad-objects",
    () =>
      "What the repository holds is not well-formed (a name such as .git, or damaged objects). Nothing of it was kept.",
  ],
];

/** A git that failed, as a sentence for people. */
export function failureOfGit(complaint: string, address: GitAddress | undefined): ApiFailure {
  const host = address?.host ?? "The server";
  for (const [pattern, status, code, sentence] of KNOWN)
    if (pattern.test(complaint)) return new ApiFailure(status, code, sentence(host), { host });
  // Whoever answers there says what stands in it (A103).
  const words = visibleText(plainOutput(complaint).trim().split("\n").at(-1)?.slice(0, 300) ?? "");
  return new ApiFailure(502, "git-failed", `Git could not do it: ${words}`);
}

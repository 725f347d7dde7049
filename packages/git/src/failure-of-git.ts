import { sentence } from "@treadle/protocol/sentences";
import { plainOutput, visibleText } from "@treadle/protocol/safe-text";
import { ApiFailure } from "@treadle/common";
import type { GitAddress } from "./address.ts";

type GitFailureCode =
  | "git-login-needed"
  | "git-key-unknown"
  | "git-host-key"
  | "git-refused"
  | "git-redirect"
  | "git-not-found"
  | "git-moved"
  | "git-certificate"
  | "disk-full"
  | "git-unreachable"
  | "git-cut"
  | "git-bad-objects";

/** Patterns of git's output, each with the failure that it means. The first match counts. */
const KNOWN: [printed: RegExp, status: number, code: string, means: GitFailureCode][] = [
  [
    /Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|error: 401|unable to get password/i,
    409,
    "git-login",
    "git-login-needed",
  ],
  [
    /Permission denied \(|Could not read from remote repository\.[^]*publickey/i,
    409,
    "git-login",
    "git-key-unknown",
  ],
  [
    /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i,
    409,
    "git-host-key",
    "git-host-key",
  ],
  [
    /error: 403|Access denied|not allowed to (?:push|upload)|protected branch|pre-receive hook declined|denied to/i,
    403,
    "git-refused",
    "git-refused",
  ],
  [/error: 30\d|unable to update url base from redirection/i, 409, "git-redirect", "git-redirect"],
  [
    /not found|find remote ref|error: 404|does not appear to be a git repository|does not exist/i,
    404,
    "git-not-found",
    "git-not-found",
  ],
  [
    /\[rejected\]|non-fast-forward|fetch first|stale info|\[remote rejected\]/i,
    409,
    "git-moved",
    "git-moved",
  ],
  [/certificate|SSL|TLS/i, 502, "git-certificate", "git-certificate"],
  [/No space left on device|Disk quota/i, 507, "disk", "disk-full"],
  [
    /Could not resolve host|Failed to connect|Connection refused|timed out|No route|Couldn't connect/i,
    502,
    "git-unreachable",
    "git-unreachable",
  ],
  [
    /early EOF|hung up|RPC failed|reset by peer|unexpected disconnect|transfer closed|Empty reply|invalid index-pack|bytes of body are still expected|Broken pipe|closed by remote/i,
    502,
    "git-cut",
    "git-cut",
  ],
  [/fsck error|bad object|hasDotgit|fatal: fsck/i, 422, "git-bad-objects", "git-bad-objects"],
];

/** Converts the error output of git, or of another program that connects as git does, to an ApiFailure. */
export function failureOfGit(
  complaint: string,
  address: GitAddress | undefined,
  program = "git",
): ApiFailure {
  const host = address?.host ?? "the server";
  for (const [pattern, status, code, means] of KNOWN)
    if (pattern.test(complaint))
      return new ApiFailure(status, code, gitSentence(means, host), { host });
  // A server can print anything (A103).
  const why = visibleText(plainOutput(complaint).trim().split("\n").at(-1)?.slice(0, 300) ?? "");
  return new ApiFailure(502, "git-failed", sentence("program-failed", { program, why }));
}

const gitSentence = (code: GitFailureCode, host: string) =>
  code === "git-moved" || code === "git-bad-objects"
    ? sentence(code)
    : code === "disk-full"
      ? sentence(code, { reason: "ENOSPC" })
      : sentence(code, { host });

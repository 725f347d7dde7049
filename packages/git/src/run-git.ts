import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { reachGit, type GitAddress } from "./address.ts";
import { failureOfGit } from "./failure-of-git.ts";
import { sshCommand } from "./ssh-command.ts";

/** Time limits in milliseconds of a command that contacts a server, and of one that does not. */
const REMOTE_MS = 30 * 60_000;
const OWN_MS = 5 * 60_000;
/** Size limit of a repository on the disk, in bytes. */
const REPOSITORY_BYTES = 4 * 1024 * 1024 * 1024;
/** Size limits of git's output and its error output, in bytes. */
const OUTPUT_BYTES = 256 * 1024 * 1024;
const COMPLAINT = 8_000;
/**
 * Limit of address space in kilobytes: fetched data may come from anyone, and a pack of a few
 * kilobytes may unpack to gigabytes in git's memory (A100).
 */
const MEMORY_KB = 4 * 1024 * 1024;
/** Exit code of a shell if there is no such program. */
const NOT_FOUND = 127;
const LIMITED = `ulimit -v ${MEMORY_KB} 2> /dev/null; exec git "$@"`;

export interface Login {
  user: string;
  password: string;
  /** For a token that expires: how to renew it. */
  renewal?: LoginRenewal | undefined;
}

/** Renews a token of the device flow (RFC 6749, section 6). */
export interface LoginRenewal {
  /** Milliseconds since 1970 at which the token expires. */
  until: number;
  refreshToken: string;
  clientId: string;
  /** Address that issues the next token. */
  endpoint: string;
}

/** The server and login for git. */
export interface Remote {
  address: GitAddress;
  login?: Login | undefined;
  /** Whether the person allowed an address in this machine's network. */
  local: boolean;
  /** Folder of Treadle's own ssh key and known hosts. */
  sshFolder: string;
}

export interface GitOptions {
  /** A git directory of Treadle's own, outside of every project's files. */
  gitDirectory: string;
  remote?: Remote;
  input?: string | Uint8Array;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  env?: Record<string, string>;
  /** Exit codes that count as success; default only 0. */
  codes?: readonly number[];
}

export interface Progress {
  /** Git's own description of the step. */
  doing: string;
  /** From 0 to 100. */
  percent: number;
}

/**
 * Git configuration that excludes all settings and programs of the machine, the person and the
 * repository.
 */
const SETTINGS: Record<string, string> = {
  "core.hooksPath": "/dev/null",
  "core.attributesFile": "/dev/null",
  "core.fsmonitor": "false",
  "core.alternateRefsCommand": "false",
  "core.protectHFS": "true",
  "core.protectNTFS": "true",
  // Limits how much of a large pack is mapped at once.
  "core.packedGitWindowSize": "32m",
  "core.packedGitLimit": "512m",
  "credential.helper": "",
  "protocol.allow": "never",
  "protocol.https.allow": "always",
  "protocol.http.allow": "always",
  "protocol.ssh.allow": "always",
  "submodule.recurse": "false",
  "fetch.recurseSubmodules": "false",
  "fetch.fsckObjects": "true",
  // Old repositories contain these, and they are harmless.
  "fetch.fsck.zeroPaddedFilemode": "ignore",
  "fetch.fsck.badTimezone": "ignore",
  "fetch.fsck.missingSpaceBeforeDate": "ignore",
  "fetch.fsck.badFilemode": "ignore",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "push.gpgSign": "false",
  "commit.gpgSign": "false",
  "http.followRedirects": "false",
  "http.lowSpeedLimit": "200",
  "http.lowSpeedTime": "60",
};

/**
 * Runs git on this machine, since it needs the network; fetched data stays in a bare repository,
 * and is never checked out.
 * @throws ApiFailure that describes the failure; an AbortError if `signal` ended it
 */
export async function runGit(words: readonly string[], options: GitOptions): Promise<Buffer> {
  const { gitDirectory, remote, signal } = options;
  signal?.throwIfAborted();
  mkdirSync(gitDirectory, { recursive: true, mode: 0o700 });
  const env = { ...(await environmentOf(gitDirectory, remote)), ...options.env };
  return new Promise((resolve, reject) => {
    // A separate process group, so that its helpers end with it.
    const git = spawn("sh", ["-c", LIMITED, "git", ...words], {
      cwd: gitDirectory,
      env,
      detached: true,
    });
    const out: Buffer[] = [];
    let bytes = 0;
    let complaint = "";
    let reason: Error | undefined;
    const end = (error: Error) => {
      reason ??= error;
      try {
        process.kill(-git.pid!, "SIGKILL");
      } catch {
        // It has already exited.
      }
    };
    const stop = () => end(new DOMException("Stopped by the person.", "AbortError"));
    signal?.addEventListener("abort", stop);
    const late = setTimeout(
      () => end(new ApiFailure(504, "git-late", sentence("git-late"))),
      remote ? REMOTE_MS : OWN_MS,
    );
    const grown = setInterval(() => {
      if (remote && bytesOf(join(gitDirectory, "objects", "pack")) > REPOSITORY_BYTES)
        end(
          new ApiFailure(
            413,
            "too-large",
            sentence("too-large", { what: "repository", limit: "4 GB" }),
          ),
        );
    }, 500);
    git.stdout.on("data", (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > OUTPUT_BYTES)
        return end(
          new ApiFailure(
            413,
            "too-large",
            sentence("too-large", { what: "output", limit: "256 MB" }),
          ),
        );
      out.push(piece);
    });
    git.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(-COMPLAINT);
      for (const progress of progressIn(text)) options.onProgress?.(progress);
    });
    git.on("error", (error) => end(error));
    git.stdin.on("error", () => undefined);
    git.stdin.end(options.input ?? "");
    git.on("close", (code) => {
      clearTimeout(late);
      clearInterval(grown);
      signal?.removeEventListener("abort", stop);
      if (reason) return reject(reason);
      if (code === NOT_FOUND) return reject(missing());
      if ((options.codes ?? [0]).includes(code ?? -1)) return resolve(Buffer.concat(out));
      // Results of a push are in its standard output.
      const output = Buffer.concat(out).subarray(-2_000).toString();
      reject(failureOfGit(`${output}\n${complaint}`, remote?.address));
    });
  });
}

const missing = () => new ApiFailure(503, "git-missing", sentence("git-missing"));

function bytesOf(folder: string): number {
  try {
    return readdirSync(folder)
      .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, 0);
  } catch {
    return 0;
  }
}

function progressIn(text: string): Progress[] {
  return [...text.matchAll(/(?:^|[\r\n]|remote: )([A-Z][\w ]{3,40}):\s+(\d{1,3})%/g)].map(
    ([, doing = "", percent]) => ({ doing, percent: Number(percent) }),
  );
}

async function environmentOf(
  gitDirectory: string,
  remote: Remote | undefined,
): Promise<Record<string, string>> {
  const settings: [string, string][] = Object.entries(SETTINGS);
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: gitDirectory,
    LANG: "C.UTF-8",
    GIT_DIR: gitDirectory,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "/bin/false",
    SSH_ASKPASS: "/bin/false",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_AUTHOR_NAME: "Treadle",
    GIT_AUTHOR_EMAIL: "treadle@localhost",
    GIT_COMMITTER_NAME: "Treadle",
    GIT_COMMITTER_EMAIL: "treadle@localhost",
  };
  if (remote) {
    const { address, login, local } = remote;
    const reached = await reachGit(address, local);
    if (address.kind === "ssh") {
      env.GIT_SSH_COMMAND = sshCommand(remote, reached);
      env.GIT_SSH_VARIANT = "ssh";
      if (process.env.SSH_AUTH_SOCK) env.SSH_AUTH_SOCK = process.env.SSH_AUTH_SOCK;
    } else {
      const shown = isIP(reached) === 6 ? `[${reached}]` : reached;
      if (isIP(address.host.replace(/^\[(.*)\]$/, "$1")) === 0)
        settings.push(["http.curloptResolve", `${address.host}:${address.port}:${shown}`]);
      const { origin } = new URL(address.url);
      if (login) settings.push([`http.${origin}/.extraHeader`, authorization(login)]);
      for (const name of [
        "SSL_CERT_FILE",
        "GIT_SSL_CAINFO",
        "https_proxy",
        "HTTPS_PROXY",
        "no_proxy",
        "NO_PROXY",
      ]) {
        // prettier-ignore
        const value = process.env[name];
        if (value !== undefined && !(local && /proxy/i.test(name))) env[name] = value;
      }
    }
  }
  env.GIT_CONFIG_COUNT = String(settings.length);
  for (const [index, [key, value]] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return env;
}

/** The header with a login. It is passed in the environment, which other users of this machine cannot see. */
const authorization = ({ user, password }: Login) =>
  `Authorization: Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const bin = join(root, "apps/cli/bin/treadle.mjs");

/** Prepared dependencies are kept between test files, as on a user's machine. */
export const cache = join(root, ".cache/e2e");

export interface RunningTreadle {
  /** The printed address, including the token, or the owner's link with `--team`. */
  address: string;
  origin: string;
  token: string;
  data: string;
  /** Of the server. */
  pid: number;
  output(): string;
  /** Sends a request as the page would. */
  api(path: string, init?: RequestInit): Promise<Response>;
  kill(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The environment of a machine without a model. Where projects run (`TREADLE_DRIVER`) and the
 * browser for looks (`TREADLE_CHROMIUM`) are unchanged. A turn ends as soon as its app runs,
 * because a script has no answer if it is asked for a check.
 */
export function bareEnvironment(): Record<string, string> {
  const inherited = [
    "PATH",
    "HOME",
    "LANG",
    "TERM",
    "TMPDIR",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
  ];
  const families = /^(npm_config_|DOCKER_|TREADLE_DRIVER$|TREADLE_DOCKER_|TREADLE_CHROMIUM$)/i;
  const variables = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (inherited.includes(entry[0]) || families.test(entry[0])),
  );
  return { ...Object.fromEntries(variables), TREADLE_VERDICTS: "quick" };
}

/**
 * The environment of a user whose only model is a scripted one.
 * @param name the name of its script, if it has several
 */
export const scriptedBy = (
  { url }: { url: string },
  name = "scripted",
): Record<string, string> => ({
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_API_KEY: "test",
  TREADLE_MODEL: `openai-compatible:${name}`,
});

/** Starts the built product as a user does, on a free port with a new data folder. */
export async function startTreadle(
  options: { env?: Record<string, string>; data?: string; args?: string[] } = {},
): Promise<RunningTreadle> {
  const data = options.data ?? mkdtempSync(join(tmpdir(), "treadle-e2e-"));
  const child = spawn(
    process.execPath,
    [bin, "serve", "--port", "0", "--no-open", "--data", data, ...(options.args ?? [])],
    {
      // Only what the tests use is downloaded in advance: otherwise every server would start
      // preparing the rest.
      env: {
        ...bareEnvironment(),
        TREADLE_CACHE: cache,
        TREADLE_PREPARE: "react,express",
        ...options.env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /https?:\/\/\S+\?(?:token|link)=\S+/.exec(output);
      if (found) resolve(found[0]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => reject(new Error(`treadle ended with ${code}:\n${output}`)));
  });
  const { origin, searchParams } = new URL(address);
  const token = searchParams.get("token") ?? "";
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  return {
    address,
    origin,
    token,
    data,
    pid: child.pid!,
    output: () => output,
    api: (path, init) =>
      fetch(`${origin}${path}`, {
        ...init,
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          ...(init?.headers as Record<string, string>),
        },
      }),
    kill: end,
    async stop() {
      await end("SIGTERM");
      rmSync(data, { recursive: true, force: true });
    },
  };
}

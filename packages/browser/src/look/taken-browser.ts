/**
 * Simulates a compromised browser: a hostile program in its place, in its sandbox, with its network
 * access.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  makeControlGroups,
  type AttackPlace,
  type Attempt,
  type AttemptResult,
} from "@treadle/workspace";
import { openBrowserProxy, type BrowserProxyOptions } from "./browser-proxy.ts";
import { LOOKS, lookSocket } from "./inner-forwarder.ts";
import { browserLimits } from "./launch-browser.ts";
import { findSandboxTools } from "./sandbox-tools.ts";
import { attackByPipe } from "./pipe-attempts.ts";
import { takenAttempts } from "./taken-attempts.ts";
import { writeSandbox } from "./write-sandbox.ts";

/** Time limits of one attempt in seconds, and of all in milliseconds. */
const EACH_S = 20;
const ALL_MS = 240_000;
/** Maximum output of each, in bytes. */
const SAID = 4_000;
const ORIGIN = "http://attack.localhost:4173";
const MARK = "=== attempt ";

/** The preview of the look, and another one, which responds to whoever reaches it. */
const PREVIEWS: BrowserProxyOptions["gateway"] = {
  handle: ({ headers }, response) =>
    void response.end(`the ${headers.host?.startsWith("attack.") ? "own" : "other"} preview`),
  upgrade: (_request, socket) => void socket.destroy(),
  connect: async () => undefined,
};
const OUTSIDE: BrowserProxyOptions["outside"] = {
  registry: { url: new URL("https://registry.npmjs.org/") },
  registries: [],
  outside: { proxies: { except: [] } },
};

/**
 * Runs each attempt, one after another, in one sandbox, which is removed afterwards. None without a sandbox.
 * @param options.place the secrets and files that the attempts try to reach
 */
export async function attackFromTakenBrowser(options: {
  env: Record<string, string | undefined>;
  place: AttackPlace;
  onResult(attempt: Pick<Attempt, "id" | "area" | "what">, result: AttemptResult): void;
}): Promise<void> {
  const tools = await findSandboxTools(options.env);
  if (!tools) return;
  const attempts = takenAttempts(options.place);
  const folder = await mkdtemp("/tmp/treadle-taken-");
  const home = await mkdtemp(join(tmpdir(), "treadle-taken-browser-"));
  const proxies = await Promise.all(
    Array.from({ length: LOOKS }, (_, index) =>
      openBrowserProxy({
        gateway: PREVIEWS,
        outside: OUTSIDE,
        socket: join(folder, lookSocket(index)),
      }),
    ),
  );
  const groups = makeControlGroups("taken", browserLimits());
  try {
    for (const proxy of proxies) proxy.begin({ origin: ORIGIN, hosts: [], staticHosts: false });
    const lines = attempts.map(
      (_, index) =>
        `echo; echo "${MARK}${index}"; timeout -k 1 ${EACH_S} bash ${home}/${index}.sh < /dev/null 2>&1 | head -c ${SAID}`,
    );
    for (const [index, { command }] of attempts.entries())
      await writeFile(join(home, `${index}.sh`), command);
    const executable = join(home, "browser");
    await writeFile(executable, `#!/bin/bash\n${lines.join("\n")}\n`);
    await chmod(executable, 0o755);
    await chmod(home, 0o755);
    const script = await writeSandbox({
      chromium: { executable, env: {} },
      tools,
      folder,
      groups: groups.folders,
    });
    const message = await printed(script);
    for (const [index, { id, what, always, never, needs }] of attempts.entries()) {
      const [, after = ""] = message.split(`\n${MARK}${index}\n`);
      const output = after.split(`\n${MARK}`, 1)[0]!;
      const isTried = needs === undefined || groups.controls.has(needs);
      const held = (always?.test(output) ?? true) && !(never?.test(output) ?? false);
      const outcome = isTried ? (held ? "held" : "through") : "untried";
      options.onResult({ id, area: "taken", what }, { outcome, output });
    }
    await attackByPipe({ script, executable, onResult: options.onResult });
  } finally {
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await groups.remove();
    for (const one of [folder, home]) await rm(one, { recursive: true, force: true });
  }
}

async function printed(script: string): Promise<string> {
  const child = spawn(script, [], { env: {}, stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"] });
  let output = "";
  for (const from of [child.stdout, child.stderr])
    from?.setEncoding("utf8").on("data", (text: string) => (output += text));
  const late = setTimeout(() => child.kill("SIGKILL"), ALL_MS);
  await once(child, "close");
  clearTimeout(late);
  return output;
}

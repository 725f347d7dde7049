import { homedir, hostname, networkInterfaces } from "node:os";
import { isEnvironmentFile, toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import { readEnvFile } from "../gate/files/read-env-file.ts";
import { textIn } from "../gate/files/text-in.ts";
import type { NamedValue } from "../gate/types.ts";

const CALLED_SECRET = /KEY|SECRET|TOKEN|PASS(?:WORD|WD)?|PRIVATE|CREDENTIAL|DSN|SALT|AUTH/i;
/** A value that is called so is one from so many characters on; any other, where it is no plain word, from so many. */
const SHORTEST = { called: 6, other: 10 };
const PLAIN_WORD = /^[a-z]+$|^https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?\/?$/i;
/** Of a tool server's definition these hold what opens something; the rest says what it is. */
const OF_TOOL_SERVER = new Set(["env", "headers"]);
const BYTES = 64 * 1024;

/** Which of what is set somewhere is nobody else's business. */
export const privateOf = (all: readonly NamedValue[]): string[] =>
  all
    .filter(({ name, value }) =>
      CALLED_SECRET.test(name)
        ? value.length >= SHORTEST.called
        : value.length >= SHORTEST.other && !PLAIN_WORD.test(value),
    )
    .map(({ value }) => value);

/** Of the server's own environment: only what is called a secret. */
export const privateOfEnvironment = (env: Readonly<Record<string, string | undefined>>): string[] =>
  privateOf(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && CALLED_SECRET.test(name) ? [{ name, value }] : [],
    ),
  );

/** Keys, logins and what tool servers are given, as the settings keep them (`secret:` keys). */
export function privateOfSettings(settings: ReadonlyMap<string, unknown>): string[] {
  const found: string[] = [];
  const gather = (value: unknown): void => {
    if (typeof value === "string") found.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(gather);
  };
  const gatherServers = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, one] of Object.entries(value))
      if (OF_TOOL_SERVER.has(name)) gather(one);
      else gatherServers(one);
  };
  for (const [key, value] of settings)
    if (key.startsWith("secret:mcp:")) gatherServers(value);
    else if (key.startsWith("secret:")) gather(value);
  return found;
}

/** How this machine is called and found, and where its people's things lie. */
export function privateOfMachine(): string[] {
  const addresses = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address }) => address);
  const home = homedir();
  // A home directory of root, or a name of one word, stands in texts by chance.
  return [...addresses, ...(home.length > 6 ? [home] : []), ...(/[-.\d]/.test(hostname()) ? [hostname()] : [])]; // prettier-ignore
}

/** What the project's `.env` files set; nothing where they cannot be read. */
export async function privateOfEnvFiles(
  workspace: Pick<Workspace, "files"> | undefined,
): Promise<string[]> {
  if (!workspace) return [];
  const listed = await workspace.files.list().catch(() => undefined);
  const named = (listed?.files ?? []).filter(({ path }) => isEnvironmentFile(path));
  const texts = await Promise.all(
    named.slice(0, 50).map(({ path }) =>
      workspace.files.read(toProjectPath(path), { limit: BYTES }).then(
        ({ bytes }) => textIn(bytes),
        () => "",
      ),
    ),
  );
  return texts.flatMap((text) => privateOf(readEnvFile(text)));
}

import { homedir, hostname, networkInterfaces } from "node:os";
import { isEnvironmentFile, toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import { readEnvFile } from "../gate/files/read-env-file.ts";
import { textIn } from "../gate/files/text-in.ts";
import type { NamedValue } from "../gate/types.ts";

const CALLED_SECRET = /KEY|SECRET|TOKEN|PASS(?:WORD|WD)?|PRIVATE|CREDENTIAL|DSN|SALT|AUTH/i;
/**
 * Minimum length of a private value, in characters: for one with a secret's name, and for any other
 * that is not a plain word.
 */
const SHORTEST = { called: 6, other: 10 };
const PLAIN_WORD = /^[a-z]+$|^https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?\/?$/i;
/** Parts of a tool server's definition that contain credentials; the rest only describes it. */
const OF_TOOL_SERVER = new Set(["env", "headers"]);
const BYTES = 64 * 1024;

/** The values of those settings that are private. */
export const privateOf = (all: readonly NamedValue[]): string[] =>
  all
    .filter(({ name, value }) =>
      CALLED_SECRET.test(name)
        ? value.length >= SHORTEST.called
        : value.length >= SHORTEST.other && !PLAIN_WORD.test(value),
    )
    .map(({ value }) => value);

/** The private values in the server's own environment: of a secret's name, and passwords in addresses. */
export const privateOfEnvironment = (env: Readonly<Record<string, string | undefined>>): string[] =>
  privateOf(
    Object.entries(env).flatMap(([name, value = ""]) => {
      const password = /^[a-z+]+:\/\/[^/@:]*:([^/@]+)@/i.exec(value)?.[1];
      return [
        ...(CALLED_SECRET.test(name) ? [{ name, value }] : []),
        ...(password === undefined ? [] : [{ name: "PASSWORD", value: password }]),
      ];
    }),
  );

/** Keys, logins and tool servers' credentials in the settings (`secret:` keys). */
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

/** The names and addresses of this machine, and its home folder. */
export function privateOfMachine(): string[] {
  const addresses = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address }) => address);
  const home = homedir();
  // Root's home folder, or a short name, occurs in texts by chance.
  return [...addresses, ...(home.length > 6 ? [home] : []), ...(/[-.\d]/.test(hostname()) ? [hostname()] : [])]; // prettier-ignore
}

/** The values in the project's `.env` files; none if they cannot be read. */
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

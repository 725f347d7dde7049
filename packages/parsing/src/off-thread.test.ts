import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Entry points of the server's own thread. */
const ENTRIES = ["packages/server/src/index.ts", "apps/cli/src/main.ts"];

/**
 * Packages that the server's thread may load, with their purpose. An unlisted package is refused,
 * so that somebody decides about it: if it parses untrusted text in more than linear time, it
 * belongs in a parser module.
 */
const ON_THE_SERVERS_THREAD: Record<string, RegExp> = {
  "talk to models, servers and tools": /^(?:ai|@ai-sdk\/.*|@openrouter\/.*|@modelcontextprotocol\/.*|@agentclientprotocol\/sdk|undici|dockerode|pg|ws|openapi-fetch|eventsource-parser|dns-packet)$/, // prettier-ignore
  "send mail to the person's own mail server, half a minute at most": /^nodemailer$/,
  "answer requests": /^(?:hono|@hono\/.*|zod)$/,
  "store, watch and search": /^(?:kysely|chokidar|@vscode\/ripgrep)$/,
  "run and look": /^(?:@lydell\/node-pty|playwright-core|@sparticuz\/chromium|axe-core|npm)$/,
  "read short values: versions, addresses, times, prices": /^(?:semver|ipaddr\.js|croner|@pydantic\/genai-prices)$/, // prettier-ignore
  "pack, never unpack": /^fflate$/,
  "read the directory of an archive, an entry of a bounded number at a time": /^yauzl$/,
  "sign in at the one identity provider that the operator names, whose answers are small":
    /^openid-client$/,
  "check what a passkey signed: a few bounded fields, one key": /^@simplewebauthn\/server$/,
  "read the file that names the operator's own cluster": /^yaml$/,
  "merge edits of people who may write the file anyway, two megabytes at most": /^yjs$/,
  "count for an operator, and check the digits of a code": /^(?:prom-client|otpauth)$/,
  "stand in text that is written into a project, and are not loaded": /^@playwright\/test$/,
};

const IMPORT =
  /^(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/gm;

function sourceOf(specifier: string, from: string): string | undefined {
  if (specifier.startsWith(".")) return join(dirname(from), specifier);
  const [, name = "", part] = /^@treadle\/([\w-]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (name === "") return undefined;
  const folder = join(root, "packages", name);
  const { exports } = createRequire(import.meta.url)(join(folder, "package.json"));
  const entry = exports[part === undefined ? "." : `./${part}`] ?? exports["./*"];
  const path = (typeof entry === "string" ? entry : entry["treadle-source"]) as string;
  return join(folder, path.replace("*", part ?? ""));
}

it("A166 no parser of outside text is loaded on the server's own thread", () => {
  const files = new Set(ENTRIES.map((entry) => join(root, entry)));
  const found: string[] = [];
  // A set that grows during the iteration is iterated to its end.
  for (const file of files) {
    if (!file.endsWith(".ts") || !existsSync(file)) continue;
    for (const [, fixed, lazy] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      const specifier = fixed ?? lazy ?? "";
      if (specifier.startsWith("node:")) continue;
      const at = `${relative(root, file)} imports ${specifier}`;
      if (specifier.endsWith(".parser.ts")) {
        found.push(at);
        continue;
      }
      const source = sourceOf(specifier, file);
      if (source !== undefined) files.add(source);
      else {
        const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0];
        const isKnown = Object.values(ON_THE_SERVERS_THREAD).some((known) => known.test(name));
        if (!isKnown) found.push(at);
      }
    }
  }
  expect(found).toEqual([]);
  // Confirms that it covered the whole server, and not only its first files.
  expect([...files].some((file) => file.endsWith("share/prepare-texts.ts"))).toBe(true);
});

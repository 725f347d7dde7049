import type { Workspace } from "@treadle/workspace";

const MOST_BYTES = 4 * 1024 * 1024;
const READING_MS = 20_000;

/** Goes through what is installed, as each package manager lays it out, and prints a line for each package. */
const PROGRAM = `
const { readdirSync, readFileSync } = require("node:fs");
let left = 20000;
const namesIn = (folder) => { try { return readdirSync(folder); } catch { return []; } };
const look = (folder, depth) => {
  for (const name of namesIn(folder)) {
    if (left-- <= 0 || depth > 8) return;
    const inside = folder + "/" + name;
    if (name === ".pnpm") { for (const one of namesIn(inside)) look(inside + "/" + one + "/node_modules", depth + 1); continue; }
    if (name.startsWith("@")) { look(inside, depth); continue; }
    if (name.startsWith(".")) continue;
    try {
      const { name: said, version, license, licenses } = JSON.parse(readFileSync(inside + "/package.json", "utf8"));
      const one = license ?? (Array.isArray(licenses) ? licenses.map((each) => each.type ?? each).join(" OR ") : licenses);
      const licence = typeof one === "object" && one !== null ? one.type : one;
      if (said && version && typeof licence === "string") console.log(JSON.stringify([said + "@" + version, licence.slice(0, 1000)]));
    } catch {}
    look(inside + "/node_modules", depth + 1);
  }
};
look("node_modules", 0);
`;

/**
 * What installed packages say of their licences, by `name@version`. Their own words: a package could say something else
 * than its licence file does.
 */
export async function installedLicences(
  workspace: Pick<Workspace, "run">,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  let text = "";
  const at = folder === undefined ? "" : `cd '${folder.replaceAll("'", "'\\''")}' && `;
  await workspace.run(`${at}"$TREADLE_NODE" -e '${PROGRAM}'`, {
    signal,
    timeoutMs: READING_MS,
    onOutput: (piece) => {
      if (text.length < MOST_BYTES) text += piece;
    },
  });
  const licences = new Map<string, string>();
  for (const line of text.split("\n")) {
    try {
      const [name, licence] = JSON.parse(line) as [unknown, unknown];
      if (typeof name === "string" && typeof licence === "string") licences.set(name, licence);
    } catch {
      // What something else printed.
    }
  }
  return licences;
}

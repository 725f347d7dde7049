import type { Workspace } from "@treadle/workspace";

const MOST_BYTES = 4 * 1024 * 1024;
const READING_MS = 20_000;

/** Lists the installed packages in the layouts of all package managers, one line per package. */
const PROGRAM = `
const { readdirSync, readFileSync } = require("node:fs");
let left = 20000;
const NAMES = [/^(?:un)?licen[cs]e|^copying/i, /^readme/i];
// Without a licence in the manifest, uses the licence file or a line about it; empty if there is
// none.
const licenceFile = (folder) => {
  for (const name of NAMES.map((shape) => namesIn(folder).find((one) => shape.test(one)))) {
    if (!name) continue;
    const text = readFileSync(folder + "/" + name, "utf8");
    const head = text.slice(0, 300);
    const gnu = /GNU (?:AFFERO |LESSER |LIBRARY )?GENERAL PUBLIC LICENSE/i.exec(head);
    if (gnu && !/\\bMIT\\b/.test(head)) return gnu[0];
    if (NAMES[0].test(name) || /licen[cs]e/i.test(text)) return "SEE LICENSE IN " + name;
  }
  return "";
};
const namesIn = (folder) => { try { return readdirSync(folder); } catch { return []; } };
const look = (folder, depth) => {
  for (const name of namesIn(folder)) {
    if (left-- <= 0 || depth > 8) return;
    const inside = folder + "/" + name;
    if (name === ".pnpm") { for (const one of namesIn(inside)) look(inside + "/" + one + "/node_modules", depth + 1); continue; }
    if (name.startsWith("@")) { look(inside, depth); continue; }
    if (name.startsWith(".")) continue;
    try {
      const { name: called, version, license, licenses } = JSON.parse(readFileSync(inside + "/package.json", "utf8"));
      const one = license ?? (Array.isArray(licenses) ? licenses.map((each) => each.type ?? each).join(" OR ") : licenses);
      const licence = (typeof one === "object" && one !== null ? one.type : one) || licenceFile(inside);
      if (called && version && typeof licence === "string") console.log(JSON.stringify([called + "@" + version, licence.slice(0, 1000)]));
    } catch {}
    look(inside + "/node_modules", depth + 1);
  }
};
look("node_modules", 0);
`;

/**
 * The licences that installed packages declare, by `name@version`; empty if they declare none. A
 * declaration may differ from the licence file.
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
    isOwn: true,
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
      // Output of something else.
    }
  }
  return licences;
}

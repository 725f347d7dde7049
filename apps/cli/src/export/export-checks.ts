import { join, relative, resolve } from "node:path";
import { lacksStep, parseChecks, problemWords, type Check } from "@treadle/protocol/checks";
import { isRecord, readMadeManifest } from "@treadle/common/made-file";
import { placeFile } from "../folders/place-file.ts";
import { configText, SERVER_TEXT } from "./config-text.ts";
import { specText, unreadText } from "./spec-text.ts";
import { STEPS_TEXT } from "./steps-text.ts";

/** Maximum length of a file name. */
const NAME = 60;

/**
 * Files with a project's checks for Playwright's own runner, by name; they do not depend on
 * Treadle.
 */
export function exportedFiles(text: string, command: string | undefined): Map<string, string> {
  const { checks, problems } = parseChecks(text);
  const files = new Map([
    ["playwright.config.ts", configText(command ?? "node playwright/serve.mjs")],
    ["steps.ts", STEPS_TEXT],
  ]);
  if (command === undefined) files.set("serve.mjs", SERVER_TEXT);
  const isPartial = ({ name }: Check) => problems.some((problem) => lacksStep(problem, name));
  for (const check of checks) files.set(freeName(check, files), specText(check, isPartial(check)));
  if (problems.length > 0) files.set("unread.spec.ts", unreadText(problems.map(problemWords)));
  return files;
}

/**
 * Writes a project's checks for Playwright's own runner.
 * @param folder of the project
 * @param to the folder for the files, inside of it
 * @returns the paths of the written files, relative to the project's folder, or why one could not be written
 */
export async function exportChecks(
  folder: string,
  to: string,
  text: string,
): Promise<{ files: string[] } | { problem: string }> {
  const base = resolve(folder);
  const written: string[] = [];
  const files = exportedFiles(text, commandOf(base));
  for (const [name, content] of files) {
    const path = relative(base, join(resolve(to), name));
    const problem = await placeFile(base, { path, content });
    if (problem !== undefined) return { problem };
    written.push(path);
  }
  return { files: written };
}

/** The command that serves the project: its own `dev` or `start` script. */
function commandOf(folder: string): string | undefined {
  const scripts = readMadeManifest(folder)?.["scripts"];
  const name = ["dev", "start"].find(
    (one) => isRecord(scripts) && typeof scripts[one] === "string",
  );
  return name && `npm run ${name}`;
}

/** A unique file name for a check. */
function freeName({ name }: Check, files: ReadonlyMap<string, string>): string {
  const plain = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "").slice(0, NAME); // prettier-ignore
  for (let count = 1; ; count++) {
    const file = `${plain || "check"}${count === 1 ? "" : `-${count}`}.spec.ts`;
    if (!files.has(file)) return file;
  }
}

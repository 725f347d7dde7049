import { existsSync, realpathSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import type { Evidence } from "@treadle/protocol";
import { VERSION } from "@treadle/common/version";
import { placeFile } from "../folders/place-file.ts";
import { findingsOf } from "./findings.ts";
import { htmlOf } from "./html.ts";
import { junitOf } from "./junit.ts";
import { markdownOf } from "./markdown.ts";
import { sarifOf } from "./sarif.ts";

export interface Report {
  /** The absolute path of the folder to write to; created if missing. */
  folder: string;
  /** The project's folder, absolute. */
  directory: string;
  evidence: Evidence;
  /** Returns a picture of the evidence. */
  picture(hash: string): Promise<{ bytes: Uint8Array; type: string } | undefined>;
}

/**
 * Writes `report.md`, `report.html`, `report.sarif`, `report.xml` and their pictures. Never writes
 * through anything that the project has put in the way, such as a link (A84).
 * @returns the path of `report.md`
 * @throws Error that names the obstacle
 */
export async function writeReport({
  folder,
  directory,
  evidence,
  picture,
}: Report): Promise<string> {
  const files = { has: (path: string) => isWithin(directory, join(directory, path)) };
  const findings = findingsOf(evidence, files);
  const inProject = [directory, realpathSync(directory)].find((base) => isBelow(base, folder));
  if (inProject === undefined) await mkdir(folder, { recursive: true });
  const base = inProject ?? folder;
  const write = async (name: string, content: string | Uint8Array) => {
    const problem = await placeFile(base, { path: relative(base, join(folder, name)), content });
    if (problem !== undefined) throw new Error(`${join(folder, name)} was not written: ${problem}`);
  };
  const pictures: { file: string; path: string; hash: string }[] = [];
  const taken = [...evidence.pages].toReversed();
  for (const { path, picture: named } of taken) {
    const image = named && (await picture(named.hash));
    if (!named || !image || pictures.some(({ hash }) => hash === named.hash)) continue;
    const file = `page-${pictures.length + 1}.${image.type.replace("image/", "").replace("jpeg", "jpg")}`;
    await write(file, image.bytes);
    pictures.push({ file, path, hash: named.hash });
  }
  const found = new Map<string, string>();
  const ofChecks = (evidence.checks ?? []).map((check) => check.picture?.hash);
  for (const hash of [...findings.map((finding) => finding.picture), ...ofChecks]) {
    const image = hash === undefined || found.has(hash) ? undefined : await picture(hash);
    if (hash === undefined || !image) continue;
    const file = `found-${found.size + 1}.${image.type.replace("image/", "").replace("jpeg", "jpg")}`;
    await write(file, image.bytes);
    found.set(hash, file);
  }
  const fallback = ["package.json", "index.html"].find((path) => files.has(path)) ?? "package.json";
  const shown = { name: basename(directory), pictures, found };
  await write("report.md", markdownOf(evidence, findings, shown));
  await write("report.html", htmlOf(evidence, findings, shown));
  const within = relative(repositoryOf(directory), directory);
  const sarif = sarifOf(evidence, findings, { version: VERSION, fallback, within });
  await write("report.sarif", `${JSON.stringify(sarif, null, 2)}\n`);
  await write("report.xml", junitOf(evidence, findings, basename(directory)));
  return join(folder, "report.md");
}

/**
 * The root of a folder's repository, to which code scanning's paths are relative. The folder itself
 * if it is in no repository.
 */
function repositoryOf(directory: string): string {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return directory;
  }
}

const isBelow = (base: string, path: string) => path === base || path.startsWith(base + sep);

/** Whether a path exists in a folder, and not through a link that leads out of it. */
function isWithin(directory: string, path: string): boolean {
  try {
    return isBelow(realpathSync(directory), realpathSync(path));
  } catch {
    return false;
  }
}

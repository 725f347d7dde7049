import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Evidence } from "@treadle/protocol";
import { VERSION } from "@treadle/server";
import { findingsOf } from "./findings.ts";
import { markdownOf } from "./markdown.ts";
import { sarifOf } from "./sarif.ts";

export interface Report {
  /** Where it is written to; made where it is not there. Absolute. */
  folder: string;
  /** The project's. Absolute. */
  directory: string;
  evidence: Evidence;
  /** The bytes of a picture that the evidence names. */
  picture(hash: string): Promise<{ bytes: Uint8Array; type: string } | undefined>;
}

/** Writes `report.md`, `report.sarif` and the pictures that `report.md` shows. @returns the path of `report.md` */
export async function writeReport({
  folder,
  directory,
  evidence,
  picture,
}: Report): Promise<string> {
  const files = { has: (path: string) => existsSync(join(directory, path)) };
  const findings = findingsOf(evidence, files);
  await mkdir(folder, { recursive: true });
  const pictures: { file: string; path: string; hash: string }[] = [];
  const taken = [...evidence.pages].toReversed();
  for (const { path, picture: named } of taken) {
    const kept = named && (await picture(named.hash));
    if (!named || !kept || pictures.some(({ hash }) => hash === named.hash)) continue;
    const file = `page-${pictures.length + 1}.${kept.type.replace("image/", "").replace("jpeg", "jpg")}`;
    await writeFile(join(folder, file), kept.bytes);
    pictures.push({ file, path, hash: named.hash });
  }
  const fallback = ["package.json", "index.html"].find((path) => files.has(path));
  const page = join(folder, "report.md");
  await writeFile(page, markdownOf(evidence, findings, { name: basename(directory), pictures }));
  const sarif = sarifOf(evidence, findings, { version: VERSION, fallback });
  await writeFile(join(folder, "report.sarif"), `${JSON.stringify(sarif, null, 2)}\n`);
  return page;
}

import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { leadsThroughForeign } from "@treadle/workspace";
import { chooseFiles } from "@treadle/workspace/sources";
import { Zip, ZipDeflate } from "fflate";
import { readerOf } from "../folders/source-reader.ts";

/**
 * An entry that lists the files that git tracks. The importer takes those, whatever their folders are called. It is not
 * unpacked itself.
 */
const INDEX = ".git/index";
/** Fast compression, because the archive crosses only the loopback interface and is unpacked immediately. */
const LEVEL = 1;

/**
 * A folder as a ZIP stream, read as fast as it is consumed. Leaves out links, special files and files that git ignores,
 * as defined in `chooseFiles`.
 * @param onLeftOut receives the path of each of these in the folder
 */
export function zipFolder(
  folder: string,
  onLeftOut: (path: string) => void,
): AsyncIterable<Uint8Array> {
  const packed: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    packed.push(piece);
  });
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const paths: string[] = [];
    for await (const path of filesIn(folder, "", onLeftOut)) paths.push(path);
    const reader = readerOf(folder);
    const chosen = chooseFiles(paths, reader);
    if (reader.stamp(INDEX) !== undefined) chosen.add(INDEX);
    for (const path of chosen) {
      const file = new ZipDeflate(path, { level: LEVEL });
      zip.add(file);
      for await (const piece of createReadStream(join(folder, path))) {
        file.push(piece as Uint8Array);
        yield* packed.splice(0);
      }
      file.push(new Uint8Array(), true);
      yield* packed.splice(0);
    }
    zip.end();
    yield* packed.splice(0);
  }
  return pieces();
}

async function* filesIn(
  folder: string,
  under: string,
  onLeftOut: (path: string) => void,
): AsyncGenerator<string> {
  for (const entry of await readdir(join(folder, under), { withFileTypes: true })) {
    if (leadsThroughForeign(entry.name)) continue;
    const path = under === "" ? entry.name : `${under}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(folder, path, onLeftOut);
    else if (entry.isFile()) yield path;
    else onLeftOut(path);
  }
}

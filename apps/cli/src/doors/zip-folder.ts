import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Zip, ZipDeflate } from "fflate";

/** What nobody means when a folder is given: it is made anew, or stays where it is. */
const LEFT_OUT = new Set(["node_modules", ".git", ".DS_Store", "Thumbs.db"]);
/** Fast: it goes over the loopback, and is unpacked at once. */
const LEVEL = 1;

/**
 * A folder as a ZIP, read as fast as it is taken. Links and what is no file are left out.
 * @param onLeftOut told of each, by its path in the folder
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
    for await (const path of filesIn(folder, "", onLeftOut)) {
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
    if (LEFT_OUT.has(entry.name)) continue;
    const path = under === "" ? entry.name : `${under}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(folder, path, onLeftOut);
    else if (entry.isFile()) yield path;
    else onLeftOut(path);
  }
}

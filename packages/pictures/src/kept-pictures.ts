import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PictureInfo } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { dropOldest } from "@treadle/common/drop-oldest";
import { pictureType } from "./picture-type.ts";

/** Maximum number of pictures per message, and bytes of one: providers accept 5 MB in base64. */
export const PICTURES = 6;
export const PICTURE_BYTES = 3_750_000;

/** Maximum number of screenshots stored for each project; a new one replaces the oldest. */
export const PAGE_PICTURES = 200;
const SAID = "pictures";
const TAKEN = "page-pictures";

/** The pictures of one project, each in an immutable file named by its hash. */
export interface KeptPictures {
  /**
   * Stores pictures in base64. Resolves once they are on disk.
   * @throws ApiFailure that names the invalid picture; none is stored then
   */
  save(pictures: readonly string[]): Promise<PictureInfo[]>;
  /** The picture, whether sent with a message or taken of a page; undefined if it is missing or no longer valid. */
  read(hash: string): Promise<{ bytes: Uint8Array; type: PictureInfo["mediaType"] } | undefined>;
}

/**
 * The stored pictures of a project.
 * @param projectFolder the project's folder beside its files
 * @param taken whether `save` stores screenshots of the project's pages, of which only the newest stay; by default
 * it stores pictures sent with messages, all of which stay
 */
export function keptPictures(projectFolder: string, taken = false): KeptPictures {
  const folder = join(projectFolder, taken ? TAKEN : SAID);
  return {
    async save(pictures) {
      const checked = checkPictures(pictures);
      if (checked.length > 0) await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const { bytes, info } of checked) {
        const path = join(folder, info.hash);
        await writeFile(`${path}.new`, bytes, { mode: 0o600, flush: true });
        await rename(`${path}.new`, path);
      }
      if (taken) await dropOldest(folder, PAGE_PICTURES, isHash);
      return checked.map(({ info }) => info);
    },
    async read(hash) {
      if (!isHash(hash)) return undefined;
      const read = (kind: string) =>
        readFile(join(projectFolder, kind, hash)).catch(() => undefined);
      const bytes = (await read(SAID)) ?? (await read(TAKEN));
      const type = bytes && pictureType(bytes);
      return bytes && type ? { bytes, type } : undefined;
    },
  };
}

const isHash = (name: string) => /^[0-9a-f]{64}$/.test(name);

/**
 * Decodes pictures in base64.
 * @throws ApiFailure that says what is wrong with them
 */
export function checkPictures(
  pictures: readonly string[],
): { bytes: Uint8Array; info: PictureInfo }[] {
  if (pictures.length > PICTURES)
    throw new ApiFailure(
      400,
      "too-many-pictures",
      sentence("limit-reached", { what: "pictures", limit: PICTURES }),
    );
  return pictures.map((text, index) => {
    const bytes = Buffer.from(text, "base64");
    const which = { which: pictures.length > 1 ? "several" : "one", number: index + 1 };
    if (bytes.length > PICTURE_BYTES)
      throw new ApiFailure(
        413,
        "picture-too-large",
        sentence("picture-too-large", { ...which, megabytes: PICTURE_BYTES / 1_000_000 }),
      );
    const mediaType = pictureType(bytes);
    if (!mediaType) throw new ApiFailure(400, "no-picture", sentence("picture-unknown", which));
    const hash = createHash("sha256").update(bytes).digest("hex");
    return { bytes, info: { hash, mediaType, size: bytes.length } };
  });
}

import { pipeline, type Readable } from "node:stream";
import {
  constants,
  createBrotliCompress,
  createBrotliDecompress,
  createGunzip,
  createGzip,
} from "node:zlib";
import { injectProbe } from "@treadle/gateway";

/** A stream that is read hears of its end where it breaks. */
const ignored = () => {};

/**
 * A page as it streams through, with the tag first in its head; packed as it came. Each piece goes out as it comes: a page
 * that is sent bit by bit still is.
 */
export function putIntoPage(page: Readable, encoding: string | undefined, tag: string): Readable {
  const inject = injectProbe({ tag, policy: (value) => value });
  if (encoding === "gzip")
    return pipeline(
      page,
      createGunzip({ flush: constants.Z_SYNC_FLUSH }),
      inject,
      createGzip({ flush: constants.Z_SYNC_FLUSH }),
      ignored,
    );
  if (encoding === "br")
    return pipeline(
      page,
      createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
      inject,
      createBrotliCompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        // Higher ones cost more than the line saves.
        params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
      }),
      ignored,
    );
  return pipeline(page, inject, ignored);
}

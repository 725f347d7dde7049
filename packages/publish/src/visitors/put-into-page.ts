import { pipeline, type Readable } from "node:stream";
import {
  constants,
  createBrotliCompress,
  createBrotliDecompress,
  createGunzip,
  createGzip,
} from "node:zlib";
import { injectProbe } from "@treadle/gateway";

/** A read stream reports an error at its end; it is handled elsewhere. */
const ignored = () => {};

/**
 * Inserts the tag at the start of the head while a page streams through, compressed as before. Each
 * chunk is passed on at once.
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
        // Higher levels cost more time than they save in transfer.
        params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
      }),
      ignored,
    );
  return pipeline(page, inject, ignored);
}

import { Transform } from "node:stream";

/** Passes on data up to a limit, and fails beyond it. */
export function limitBytes(limit: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      size += chunk.length;
      if (size > limit) callback(new Error(`There is more than ${limit} bytes of it.`));
      else callback(null, chunk);
    },
  });
}

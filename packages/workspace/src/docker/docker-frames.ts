import { Transform } from "node:stream";

/**
 * Header length of a frame of a container's output: kind, three zeros, length (big-endian); the
 * bytes follow.
 */
const HEADER = 8;
const STDERR = 2;

/**
 * Demultiplexes the frames of an attached container. dockerode's own demultiplexer is not used: it copies its whole
 * buffer on each chunk, buffers whole frames, and ignores backpressure, so a container that prints faster than it is
 * read would fill the server's memory.
 * @param onStderr receives the container's error output
 * @returns a stream to pipe the attachment into and to read the container's standard output from
 */
export function createDockerFrames(onStderr: (bytes: Buffer) => void): Transform {
  let header = Buffer.alloc(0);
  let kind = 0;
  let left = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let at = 0;
      while (at < chunk.length) {
        if (left === 0) {
          const taken = chunk.subarray(at, at + HEADER - header.length);
          header = Buffer.concat([header, taken]);
          at += taken.length;
          if (header.length < HEADER) break;
          kind = header[0]!;
          left = header.readUInt32BE(4);
          header = Buffer.alloc(0);
          continue;
        }
        const piece = chunk.subarray(at, at + left);
        at += piece.length;
        left -= piece.length;
        if (kind === STDERR) onStderr(piece);
        else this.push(piece);
      }
      done();
    },
  });
}

/**
 * Prevents a closed output (`treadle … | head`) from ending a run or a server: further output is
 * dropped. Any other error of the stream is thrown.
 */
export function outliveBrokenPipes(streams: NodeJS.WritableStream[]): void {
  for (const stream of streams)
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
}

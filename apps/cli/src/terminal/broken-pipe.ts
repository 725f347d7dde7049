/**
 * Output that nobody reads any more (`treadle … | head`) ends no run and no server, and never in a stack trace: from
 * then on it is dropped. Any other failure of the stream is thrown.
 */
export function outliveBrokenPipes(streams: NodeJS.WritableStream[]): void {
  for (const stream of streams)
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
}

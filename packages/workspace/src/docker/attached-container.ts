import type { ContainerCreateOptions } from "dockerode";
import type { Duplex, Readable } from "node:stream";
import { createDockerFrames } from "./docker-frames.ts";
import type { Engine } from "./engine.ts";

/** Milliseconds without a response after which an engine counts as hung. */
const ENGINE_MS = 60_000;

/** A running container to which this process is attached. */
export interface AttachedContainer {
  readonly id: string;
  /** Its standard output and input. */
  readonly output: Readable;
  readonly input: Duplex;
  /** The exit code; 137 if the connection to the engine broke earlier. */
  readonly exited: Promise<number>;
  /** Kills it. Resolves when the container and everything in it are gone. */
  remove(): Promise<void>;
}

/**
 * Creates and starts a container. Attaches before the start, so that no output is missed.
 * @param onStderr receives error output of the container or the engine
 */
export async function startContainer(
  engine: Engine,
  config: ContainerCreateOptions,
  onStderr: (bytes: Buffer) => void,
): Promise<AttachedContainer> {
  const abortSignal = AbortSignal.timeout(ENGINE_MS);
  const container = await engine.createContainer({ ...config, abortSignal });
  const remove = async () => {
    try {
      await container.remove({ force: true, v: true });
    } catch (error) {
      // It removes itself when it ends: this may be in progress or done, or the engine is gone.
      if ((error as { statusCode?: number }).statusCode === 409)
        await container.wait({ condition: "removed" }).catch(() => undefined);
    }
  };
  try {
    const socket = (await container.attach({
      stream: true,
      hijack: true,
      stdin: true,
      stdout: true,
      stderr: true,
    })) as Duplex;
    socket.on("error", () => undefined);
    const output = createDockerFrames(onStderr);
    socket.pipe(output);
    // A broken connection emits no `end`, and readers must not wait for one.
    socket.once("close", () => output.end());
    const status = container.wait({ condition: "next-exit" }) as Promise<{ StatusCode: number }>;
    const exited = status.then(
      ({ StatusCode }) => StatusCode,
      () => 137,
    );
    await container.start({ abortSignal });
    return { id: container.id, output, input: socket, exited, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

import type { ContainerCreateOptions } from "dockerode";
import { startContainer, type AttachedContainer } from "./attached-container.ts";
import { engineError, type Engine } from "./engine.ts";

/**
 * Runs one container to its end. Rejects with WorkspaceError `sandbox` where it could not be started.
 * @param onOutput pieces of its standard output
 * @param onStarted how to end it before its time
 */
export async function runOnce(
  engine: Engine,
  config: ContainerCreateOptions,
  options: {
    input?: string | Uint8Array;
    onOutput(bytes: Buffer): void;
    onStderr(bytes: Buffer): void;
    onStarted?(container: AttachedContainer): void;
  },
): Promise<number> {
  const container = await startContainer(engine, config, options.onStderr).catch(
    (error: unknown) => {
      throw engineError("the sandbox did not start", error);
    },
  );
  const drained = new Promise<void>((resolve) => container.output.once("end", () => resolve()));
  container.output.on("data", options.onOutput);
  container.input.end(options.input ?? "");
  options.onStarted?.(container);
  const code = await container.exited;
  await drained;
  return code;
}

import { startContainer, type AttachedContainer } from "./attached-container.ts";
import { containerConfig, type ContainerSettings } from "./container-config.ts";
import { engineError, type Engine } from "./engine.ts";
import { asFirstProcess } from "./first-process.ts";

/**
 * Runs one container until it exits, at the latest when this process does, and resolves with its exit code. Rejects
 * with WorkspaceError `sandbox` if it could not be started.
 * @param options.onOutput receives chunks of its standard output
 * @param options.onStarted receives the running container, which its `remove` ends early
 */
export async function runOnce(
  engine: Engine,
  settings: ContainerSettings,
  options: {
    input?: string | Uint8Array;
    onOutput(bytes: Buffer): void;
    onStderr(bytes: Buffer): void;
    onStarted?(container: AttachedContainer): void;
  },
): Promise<number> {
  const input = Buffer.from(options.input ?? "");
  const config = containerConfig({
    ...settings,
    command: asFirstProcess(settings.command, input.length),
    first: true,
  });
  const container = await startContainer(engine, config, options.onStderr).catch(
    (error: unknown) => {
      throw engineError("sandbox-not-started", error);
    },
  );
  const drained = new Promise<void>((resolve) => container.output.once("end", () => resolve()));
  container.output.on("data", options.onOutput);
  // Never ended, because the container runs only while this stream is open.
  container.input.write(input);
  options.onStarted?.(container);
  const code = await container.exited;
  await drained;
  container.input.destroy();
  return code;
}

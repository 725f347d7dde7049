import { Duplex } from "node:stream";
import type { ContainerEngine, ContainerSettings } from "../containers/types.ts";
import { GUEST_FLAGS, SANDBOX_PLACES } from "../guest-workspace/sandbox-environment.ts";
import { startContainer } from "./attached-container.ts";
import { containerConfig } from "./container-config.ts";
import { pidsOfContainer } from "./container-pids.ts";
import { engineError, type Engine } from "./engine.ts";
import { asFirstProcess } from "./first-process.ts";

/**
 * Containers of a Docker engine.
 * @param options.image the name of the image, which is built if missing
 */
export function createDockerContainers(
  engine: Engine,
  options: { image(): Promise<string>; labels: Record<string, string> },
): ContainerEngine {
  const imageAndLabels = async () => ({ image: await options.image(), labels: options.labels });
  const notStarted = (error: unknown) => {
    throw engineError("sandbox-not-started", error);
  };

  return {
    async startGuest(settings, guest, onStderr) {
      const command = afterFilling(settings, [
        SANDBOX_PLACES.node,
        ...GUEST_FLAGS,
        `${SANDBOX_PLACES.guest}/over-stdio.mjs`,
        JSON.stringify(guest),
      ]);
      const config = containerConfig({ ...settings, ...(await imageAndLabels()), command });
      const container = await startContainer(engine, config, onStderr).catch(notStarted);
      const { input, output, remove } = container;
      const closed = new Promise<void>((resolve) => input.once("close", () => resolve()));
      return {
        carrier: Duplex.from({ readable: output, writable: input }),
        closed,
        pids: await pidsOfContainer(engine, container.id),
        disconnect: () => void input.destroy(),
        remove,
      };
    },

    async runOnce(settings, { input: given = "", onOutput, onStderr, onStarted }) {
      const bytes = Buffer.from(given);
      const config = containerConfig({
        ...settings,
        ...(await imageAndLabels()),
        command: asFirstProcess(afterFilling(settings, settings.command), bytes.length),
        first: true,
      });
      const container = await startContainer(engine, config, onStderr).catch(notStarted);
      const { input, output, exited, remove } = container;
      const drained = new Promise<void>((resolve) => output.once("end", () => resolve()));
      output.on("data", onOutput);
      // Never ended, because the container runs only while this stream is open.
      input.write(bytes);
      let pids: () => number[] = () => [];
      void pidsOfContainer(engine, container.id).then((found) => (pids = found));
      onStarted?.({ pids: () => pids(), remove: () => void remove() });
      const code = await exited;
      await drained;
      input.destroy();
      return code;
    },
  };
}

const afterFilling = ({ fill }: ContainerSettings, command: readonly string[]): string[] =>
  fill === undefined ? [...command] : ["bash", "-c", `${fill}; exec "$@"`, "bash", ...command];

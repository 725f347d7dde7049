import { basename } from "node:path/posix";
import type { DataCopies, DataCopy } from "@treadle/agent";
import { readProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import type { Look, PreviewBrowser } from "@treadle/browser";
import type { PreviewTarget } from "@treadle/gateway";
import { newCapability } from "@treadle/common";
import { placeCounted } from "@treadle/browser";

/** The texts by which a build output may refer to a source file: its whole name, or its base name before another extension. */
const namesOf = (path: string): string[] => [
  basename(path),
  `/${basename(path).replace(/\.\w+$/, "")}.`,
];

/** Reads files of a copy, those that its tools wrote among them. */
const readIn =
  ({ files }: Workspace) =>
  async (path: string): Promise<string | undefined> => {
    const checked = readProjectPath(path);
    if (!checked.ok) return undefined;
    const file = await files.read(checked.path).catch(() => undefined);
    return file && Buffer.from(file.bytes).toString("utf8");
  };

/** The data copies of all projects, each with a preview of its own that only the looking browser is sent to. */
export interface CopyPreviews {
  /** The preview behind a capability, as the gateway needs it; undefined where it is none of a copy. */
  find(capability: string): PreviewTarget | undefined;
  /**
   * Copies of one project's app.
   * @param reach what pages of the project are opened with, but for where
   */
  get(
    project: string,
    workspace: Workspace,
    reach: () => Promise<Pick<Look, "hosts" | "staticHosts" | "source">>,
  ): DataCopies;
}

/**
 * @param originOf where the gateway answers for a capability and a port
 * @param targets where the previews of copies are entered by their capability, for the gateway that was made before
 */
export function createCopyPreviews(
  browser: Pick<PreviewBrowser, "look" | "use" | "press">,
  originOf: (capability: string, port?: number) => string,
  targets = new Map<string, PreviewTarget>(),
): CopyPreviews {
  async function openCopy(
    project: string,
    workspace: Workspace,
    reach: () => Promise<Pick<Look, "hosts" | "staticHosts" | "source">>,
    options: Parameters<DataCopies["open"]>[0],
  ): Promise<DataCopy | undefined> {
    const copy = await workspace.copy?.(options);
    if (!copy) return undefined;
    const capability = newCapability();
    let isWritten = false;
    let listening: number[] = [];
    copy.listen((notice) => {
      if (notice.type === "ports") listening = notice.ports;
    });
    const ports = () => [...new Set([...(copy.server?.ports ?? []), ...listening])];
    targets.set(capability, {
      // Another name than the project's: what is known of how its ports are spoken to holds for this copy alone.
      project: `${project}-${capability}`,
      connect: (port) => copy.connect(port),
      ports,
      source: async (path) => (await reach()).source?.(path),
      state: () => copy.server?.state,
      onWrite: () => void (isWritten = true),
      onReport() {},
    });
    const placeOf = async (port: number | undefined) => ({
      ...(await reach()),
      project,
      origin: originOf(capability, port === ports()[0] ? undefined : port),
    });
    let before = await copy.dataDigest?.();
    return {
      workspace: copy,
      browser: {
        look: async ({ port, ...request }) => ({
          ...(await browser.look({ ...request, ...(await placeOf(port)) })),
          ...(port === undefined ? {} : { port }),
        }),
        use: async ({ port, ...request }) => browser.use({ ...request, ...(await placeOf(port)) }),
        press: async ({ port, ...request }) =>
          browser.press({ ...request, ...(await placeOf(port)) }),
      },
      isTouched: async () => isWritten || (await copy.dataDigest?.()) !== before,
      async takeAsUntouched() {
        const now = await copy.dataDigest?.().catch(() => undefined);
        before = now ?? before;
      },
      async ranCode(paths) {
        const ran = await copy.ranCode?.([...paths].flatMap(namesOf)).catch(() => undefined);
        if (!ran) return undefined;
        const { files, unclear, hasUnmapped } = await placeCounted(
          ran.scripts,
          paths,
          readIn(copy),
        );
        return { files, unclear, isWhole: ran.isWhole && !hasUnmapped };
      },
      async close() {
        targets.delete(capability);
        await copy.stop().catch(() => undefined);
      },
    };
  }

  return {
    find: (capability) => targets.get(capability),
    get: (project, workspace, reach) => ({
      open: (options) => openCopy(project, workspace, reach, options),
      reachesOutside: async () => ((await reach()).hosts ?? []).length > 0,
    }),
  };
}

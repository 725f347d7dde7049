import { basename } from "node:path/posix";
import type { DataCopies, DataCopy } from "@treadle/agent";
import { readProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import type { Look, PreviewBrowser } from "@treadle/browser";
import type { PreviewTarget } from "@treadle/gateway";
import { newCapability } from "@treadle/common";
import { placeCounted } from "@treadle/browser";

/**
 * Names by which build output may refer to a source file: its full name, or its base name before
 * another extension.
 */
const namesOf = (path: string): string[] => [
  basename(path),
  `/${basename(path).replace(/\.\w+$/, "")}.`,
];

/** Creates a reader of a copy's files, including generated ones; undefined for files that cannot be read. */
const readIn =
  ({ files }: Workspace) =>
  async (path: string): Promise<string | undefined> => {
    const checked = readProjectPath(path);
    if (!checked.ok) return undefined;
    const file = await files.read(checked.path).catch(() => undefined);
    return file && Buffer.from(file.bytes).toString("utf8");
  };

/** The data copies of all projects, each with a preview that only the looking browser uses. */
export interface CopyPreviews {
  /** The preview of a copy by its capability, for the gateway; undefined if there is none. */
  find(capability: string): PreviewTarget | undefined;
  /**
   * Opens copies of one project's app.
   * @param reach the hosts and sources for opening its pages
   */
  get(
    project: string,
    workspace: Workspace,
    reach: () => Promise<Pick<Look, "hosts" | "staticHosts" | "source">>,
  ): DataCopies;
}

/**
 * Creates the previews of data copies.
 * @param originOf the gateway's origin for a capability and a port
 * @param targets receives the previews of copies by capability, for the gateway, which already exists
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
      // A separate name, so that what is learnt about its ports applies to this copy only.
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

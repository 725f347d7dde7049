import { BrowserError, type Look, type PreviewBrowser } from "@treadle/browser";
import { reachableHosts } from "@treadle/egress";
import type { Gateway, PreviewTarget } from "@treadle/gateway";
import { createInspectionHosts } from "@treadle/publish";
import { newCapability } from "@treadle/common";
import type { ProjectRecord } from "@treadle/store";
import type { Base, Parts } from "./assemble-base.ts";
import { createCopyPreviews, type CopyPreviews } from "./data-copies/data-copies.ts";
import { previewTarget } from "./preview-target.ts";
import type { RuntimeParts } from "./project-context/project-context.ts";
import { readSettings } from "./projects/project-settings.ts";
import { sourceText } from "./runtime/source-text.ts";
import { lookInTab } from "./tabs/look-in-tab.ts";

export interface Previews
  extends Pick<RuntimeParts, "browserOf">, Required<Pick<RuntimeParts, "copiesOf">> {
  /** Undefined if there are no previews. */
  gateway: Gateway | undefined;
  /** Undefined if there is no looking browser. */
  browser: PreviewBrowser | undefined;
  /** Hosts at which releases are inspected before they are public. */
  inspectionHosts: ReturnType<typeof createInspectionHosts>;
  /** A project's preview; undefined for an unknown capability. */
  targetOf(capability: string): Promise<PreviewTarget | undefined>;
  /**
   * Shows another app of a project to people, such as a held release, at its own capability until `hide` is called.
   */
  show(project: string, target: PreviewTarget): { capability: string; hide(): void };
  /** The project of a capability that `show` returned; undefined for any other. */
  shownOf(capability: string): string | undefined;
  /**
   * What the browser needs to open a page of a project. `port` is only needed for another port than the previewed
   * one. Rejects with BrowserError if there are no previews.
   */
  reachOf(
    project: Pick<ProjectRecord, "id" | "capability">,
    port?: number,
  ): Promise<Pick<Look, "origin" | "hosts" | "staticHosts" | "source">>;
  /** Origin of a project's preview as people open it, without a path. */
  previewOrigin(capability: string, port?: number): string;
}

/** The second layer: previews on their own hosts, and the browser that looks at them. */
export function createPreviews(base: Base, parts: Parts): Previews {
  const { store, lookup, token, address, tabs } = base;
  const settingsOf = (project: string) => readSettings(store, project, base.settings.verdicts);
  const copyTargets = new Map<string, PreviewTarget>();
  const targetOf = (capability: string) =>
    previewTarget(lookup, capability, async (project) => {
      const read = await settingsOf(project);
      const { on, hosts } = read.staticHosts;
      return read.limitPreview
        ? { hosts: reachableHosts(read), staticHosts: on ? hosts : [] }
        : undefined;
    });
  const shown = new Map<string, string>();
  const gateway: Gateway | undefined = parts.createGateway?.({
    appOrigin: address.localOrigin,
    people: address.people,
    token,
    resolve: (capability) => copyTargets.get(capability) ?? targetOf(capability),
  });
  const inspectionHosts = createInspectionHosts(address.localOrigin, token);
  const browser = gateway && parts.createBrowser?.(inspectionHosts.among(gateway));
  const copies: CopyPreviews | undefined =
    gateway &&
    browser &&
    createCopyPreviews(browser, (...where) => gateway.originOf(...where), copyTargets);

  /** The hosts that a project's pages may reach, and the sources for positions of errors. */
  const allowedOf = async (id: string) => {
    const read = await settingsOf(id);
    return {
      hosts: reachableHosts(read),
      staticHosts: read.staticHosts.on,
      source: async (path: string) => sourceText(await lookup.runtimeOf(id), path),
    };
  };
  const reachOf: Previews["reachOf"] = async ({ id, capability }, port) => {
    if (!gateway) throw new BrowserError("There are no previews here.");
    // The address of the previewed port does not contain the port.
    const shown = (await lookup.runtimeOf(id)).holder.ports()[0];
    return {
      ...(await allowedOf(id)),
      origin: gateway.originOf(capability, port === shown ? undefined : port),
    };
  };
  const browserOf: Previews["browserOf"] = async (record) => {
    if (record.runsIn === "tab") return lookInTab(tabs.get(record.id));
    if (!browser || !(await browser.available()).ok) return undefined;
    return {
      look: async ({ port, ...request }) => ({
        ...(await browser.look({ ...request, ...(await reachOf(record, port)) })),
        ...(port === undefined ? {} : { port }),
      }),
      personFirst: async (signal) => (await lookup.runtimeOf(record.id)).personPage.settled(signal),
      use: async ({ port, ...request }) =>
        browser.use({ ...request, ...(await reachOf(record, port)) }),
    };
  };
  const copiesOf: Previews["copiesOf"] = (record, workspace) =>
    copies?.get(record.id, workspace, () => allowedOf(record.id));
  return {
    gateway,
    browser,
    inspectionHosts,
    targetOf,
    show(project, target) {
      const capability = newCapability();
      shown.set(capability, project);
      copyTargets.set(capability, target);
      return {
        capability,
        hide() {
          shown.delete(capability);
          copyTargets.delete(capability);
        },
      };
    },
    shownOf: (capability) => shown.get(capability),
    reachOf,
    browserOf,
    copiesOf,
    previewOrigin: address.previewOrigin,
  };
}

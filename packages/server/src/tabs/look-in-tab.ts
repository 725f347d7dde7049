import type { Browser } from "@treadle/agent";
import type { PageReport } from "@treadle/protocol";
import { TabLeft, type TabLink } from "@treadle/workspace";
import { readReport } from "@treadle/gateway";

/**
 * Checks pages of a project that runs in a browser tab. They are visible in that tab alone, since their address is
 * unreachable elsewhere. Reports come from the person's own browser; pages can be viewed there but not operated.
 */
export function lookInTab(link: TabLink): Browser {
  return {
    async look({ path, port = link.ports[0]?.port ?? 0, signal }): Promise<PageReport> {
      const asked = link.ask({ kind: "look", port, path });
      const cancel = () => asked.cancel();
      signal.addEventListener("abort", cancel, { once: true });
      try {
        const { report } = await asked.answer;
        signal.throwIfAborted();
        const seen = report === undefined ? undefined : readReport(JSON.stringify(report));
        return seen
          ? { ...seen, source: "tab", port }
          : unseen(path, port, "the page reported nothing to the person's tab");
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof TabLeft)) throw error;
        return unseen(path, port, "the person's tab was closed");
      } finally {
        signal.removeEventListener("abort", cancel);
      }
    },
  };
}

const unseen = (path: string, port: number, unsettled: string): PageReport => ({
  source: "tab",
  path,
  port,
  status: 0,
  contentType: "",
  title: "",
  rendered: false,
  text: "",
  uncaughtErrors: [],
  consoleErrors: [],
  failedRequests: [],
  unsettled,
  ms: 0,
});

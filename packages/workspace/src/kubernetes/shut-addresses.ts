import { lookup } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { ShutAddress } from "../wire/exec-request.ts";
import type { Api } from "./api.ts";
import type { Pod } from "./pod-progress.ts";
import type { KubernetesSettings } from "./settings.ts";

const KUBELET_PORT = 10_250;
const DNS_PORT = 53;

/**
 * Returns a function that finds the addresses that a pod of a project must not reach: the API server, the pod's node,
 * another pod, and the cluster's DNS server if this process is in a pod itself or the settings name it. The guest adds
 * what it sees from inside.
 * @param findOther the address of a pod that listens; absent where pods have no network at all
 */
export function createShutAddresses(
  api: Api,
  settings: KubernetesSettings,
  env: Record<string, string | undefined>,
  findOther: () => Promise<ShutAddress | undefined>,
): (pod: Pod) => Promise<readonly ShutAddress[]> {
  const { server } = api.cluster;
  const fixed = async (): Promise<ShutAddress[]> => {
    const servers = await lookup(server.hostname.replace(/^\[|\]$/g, ""), { all: true });
    return [
      ...servers.map(({ address }) => ({ host: address, port: Number(server.port || 443) })),
      ...(env.KUBERNETES_SERVICE_HOST ? nameservers() : []),
      ...settings.shut,
    ];
  };
  let known: Promise<ShutAddress[]> | undefined;

  return async ({ status }) => {
    const all = await (known ??= fixed().catch((error: unknown) => {
      known = undefined;
      throw error;
    }));
    const other = await findOther();
    return [
      ...all,
      ...(status?.hostIP ? [{ host: status.hostIP, port: KUBELET_PORT }] : []),
      ...(other ? [other] : []),
    ];
  };
}

/** The DNS servers of the pod that this process runs in. */
function nameservers(): ShutAddress[] {
  try {
    return readFileSync("/etc/resolv.conf", "utf8")
      .split("\n")
      .flatMap((line) => {
        const [, host = ""] = /^nameserver\s+(\S+)/.exec(line) ?? [];
        return isIP(host) ? [{ host, port: DNS_PORT }] : [];
      });
  } catch {
    return [];
  }
}

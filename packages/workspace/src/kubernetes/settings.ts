import { sentence } from "@treadle/protocol/sentences";
import { isIP } from "node:net";
import { dirname, resolve } from "node:path";
import { WorkspaceError } from "../types.ts";
import type { ShutAddress } from "../wire/exec-request.ts";

/** How projects run in a cluster. */
export interface KubernetesSettings {
  /** The image of the sandbox, as the nodes pull it. */
  image: string;
  namespace: string;
  /** The persistent volume claim that holds Treadle's data, and where this machine has it mounted. */
  claim: string;
  mount: string;
  /**
   * What shuts pods in: the cluster's network policies, or an init container that takes the network interface away
   * (which needs a namespace that allows NET_ADMIN).
   */
  network: "policy" | "cut";
  runtimeClass: string | undefined;
  nodeSelector: Record<string, string>;
  pullSecrets: string[];
  /** The path of a seccomp profile below the kubelet's folder; absent: the runtime's default. */
  seccompProfile: string | undefined;
  /** Further addresses that sandboxes must not reach, such as the cluster's DNS server. */
  shut: ShutAddress[];
}

type Env = Record<string, string | undefined>;

/**
 * Reads the settings of the driver from the server's environment.
 * @param cacheDirectory is in the data folder, which is on the claim
 * @throws WorkspaceError `sandbox` if one is missing or cannot be used
 */
export function readKubernetesSettings(
  env: Env,
  cacheDirectory: string,
  namespace: string | undefined,
): KubernetesSettings {
  const read = (name: string) => env[name]?.trim() || undefined;
  const need = (name: string): string => read(name) ?? refuse(name);
  const network = read("TREADLE_KUBERNETES_NETWORK") ?? "policy";
  if (network !== "policy" && network !== "cut") refuse("TREADLE_KUBERNETES_NETWORK");
  return {
    image: need("TREADLE_KUBERNETES_IMAGE"),
    namespace: read("TREADLE_KUBERNETES_NAMESPACE") ?? namespace ?? "treadle",
    claim: need("TREADLE_KUBERNETES_CLAIM"),
    mount: resolve(read("TREADLE_KUBERNETES_MOUNT") ?? dirname(cacheDirectory)),
    network: network as "policy" | "cut",
    runtimeClass: read("TREADLE_KUBERNETES_RUNTIME_CLASS"),
    nodeSelector: Object.fromEntries(
      listOf(read("TREADLE_KUBERNETES_NODE_SELECTOR")).map((pair) => {
        const [name, value, more] = pair.split("=");
        return name && value !== undefined && more === undefined
          ? [name, value]
          : refuse("TREADLE_KUBERNETES_NODE_SELECTOR");
      }),
    ),
    pullSecrets: listOf(read("TREADLE_KUBERNETES_PULL_SECRETS")),
    seccompProfile: read("TREADLE_KUBERNETES_SECCOMP"),
    shut: listOf(read("TREADLE_KUBERNETES_SHUT")).map(
      (address) => readAddress(address) ?? refuse("TREADLE_KUBERNETES_SHUT"),
    ),
  };
}

const listOf = (text = ""): string[] => text.split(",").flatMap((part) => part.trim() || []);

/** Reads `host:port`, with an address of IPv6 in brackets. */
function readAddress(text: string): ShutAddress | undefined {
  const [, host, port] = /^\[?([\w.:-]+?)\]?:(\d{1,5})$/.exec(text) ?? [];
  return host !== undefined && isIP(host) !== 0 ? { host, port: Number(port) } : undefined;
}

function refuse(name: string): never {
  throw new WorkspaceError("sandbox", sentence("kubernetes-setting", { name }));
}

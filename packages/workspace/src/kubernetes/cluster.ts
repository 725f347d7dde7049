import { sentence } from "@treadle/protocol/sentences";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { WorkspaceError } from "../types.ts";

/** How to reach an API server, and as whom. */
export interface Cluster {
  server: URL;
  tls: { ca?: Buffer; cert?: Buffer; key?: Buffer; rejectUnauthorized?: boolean };
  /** The token of requests, read anew for each one since it is renewed on disk; absent with a client certificate. */
  token?: () => string;
  /** The namespace of the configuration; absent if it names none. */
  namespace?: string;
}

/** Where the kubelet puts the account of a program in a pod. */
const ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

type Env = Record<string, string | undefined>;

/**
 * Reads how to reach the cluster: from `KUBECONFIG`, from the account of the pod that this process runs in, or from
 * `~/.kube/config`.
 * @throws WorkspaceError `sandbox` if there is no configuration, or it asks for what is not supported
 */
export function readCluster(env: Env, account = ACCOUNT): Cluster {
  const inPod = readAccount(env, account);
  if (inPod && !env.KUBECONFIG) return inPod;
  const file = env.KUBECONFIG?.split(":")[0] || join(env.HOME ?? homedir(), ".kube/config");
  try {
    return readKubeconfig(file);
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    throw unreadable(`${file}: ${(error as Error).message}`);
  }
}

function readAccount(env: Env, account: string): Cluster | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = "443" } = env;
  const token = join(account, "token");
  if (!host || !existsSync(token)) return undefined;
  return {
    server: new URL(`https://${host.includes(":") ? `[${host}]` : host}:${port}`),
    tls: { ca: readFileSync(join(account, "ca.crt")) },
    token: () => readFileSync(token, "utf8").trim(),
    namespace: readFileSync(join(account, "namespace"), "utf8").trim(),
  };
}

interface Kubeconfig {
  "current-context"?: string;
  contexts?: { name: string; context: { cluster: string; user: string; namespace?: string } }[];
  clusters?: { name: string; cluster: Record<string, string | boolean | undefined> }[];
  users?: { name: string; user: Record<string, unknown> }[];
}

function readKubeconfig(file: string): Cluster {
  const config = parse(readFileSync(file, "utf8")) as Kubeconfig;
  const context = config.contexts?.find(({ name }) => name === config["current-context"])?.context;
  const cluster = config.clusters?.find(({ name }) => name === context?.cluster)?.cluster;
  const user = config.users?.find(({ name }) => name === context?.user)?.user;
  if (!context || !cluster || !user) throw unreadable(`${file}: current-context`);
  // Programs that log in to a cloud are not started: their output would be a key.
  if (user.exec || user["auth-provider"]) throw unreadable(`${file}: user.exec`);
  const data = (from: Record<string, unknown>, name: string): Buffer | undefined => {
    const inline = from[`${name}-data`];
    if (typeof inline === "string") return Buffer.from(inline, "base64");
    const path = from[name];
    return typeof path === "string" ? readFileSync(resolve(dirname(file), path)) : undefined;
  };
  const { token, tokenFile } = user;
  return {
    server: new URL(String(cluster.server)),
    tls: {
      ca: data(cluster, "certificate-authority"),
      cert: data(user, "client-certificate"),
      key: data(user, "client-key"),
      rejectUnauthorized: cluster["insecure-skip-tls-verify"] !== true,
    },
    token:
      typeof tokenFile === "string"
        ? () => readFileSync(resolve(dirname(file), tokenFile), "utf8").trim()
        : typeof token === "string"
          ? () => token
          : undefined,
    namespace: context.namespace,
  };
}

const unreadable = (why: string) =>
  new WorkspaceError("sandbox", sentence("kubernetes-config", { why }));

import { existsSync } from "node:fs";
import type { RegistryConfig } from "@treadle/egress";
import type { MachineReport } from "../types.ts";
import { apiError } from "./api-failure.ts";
import type { Api } from "./api.ts";
import type { KubernetesSettings } from "./settings.ts";

/** What the driver does in its namespace: the rules of its Role, as in docs/kubernetes.md. */
export const RIGHTS = [
  { resource: "pods", verbs: ["create", "get", "list", "watch", "delete"] },
  // An execution over a WebSocket is a GET.
  { resource: "pods/exec", verbs: ["create", "get"] },
  { resource: "persistentvolumeclaims", verbs: ["get"] },
] as const;

interface Claim {
  spec: { accessModes?: string[]; storageClassName?: string };
  status?: { phase?: string };
}

/** Checks the cluster for what the driver needs: its rights, the claim, and a pod that is shut in. Never throws. */
export async function probeCluster(options: {
  api: Api;
  settings: KubernetesSettings;
  /** Folder of the built guest. */
  guest: string;
  registry: RegistryConfig;
  tryPod(): Promise<void>;
}): Promise<MachineReport> {
  const { api, settings, guest, registry } = options;
  const { namespace, claim } = settings;
  const { server } = api.cluster;
  const checks: MachineReport["checks"] = [];
  const add = (name: string, ok: boolean, detail: string, mend?: string) =>
    checks.push({ name, ok, detail, mend: ok ? undefined : mend });
  const built = existsSync(`${guest}/over-exec.mjs`);
  add("guest", built, guest, "npm run build");
  add("registry", true, `${registry.url.host}${registry.authorization ? ", with a login" : ""}`);

  try {
    const { gitVersion } = await api.ask<{ gitVersion: string }>("GET", "/version");
    add("Kubernetes", true, `${gitVersion} at ${server.host}`);
  } catch (error) {
    add("Kubernetes", false, apiError(error, server, "sandbox-unavailable").message);
    return { ok: false, checks };
  }

  for (const { resource, verbs } of RIGHTS) {
    const missing: string[] = [];
    for (const verb of verbs)
      if (!(await isAllowed(api, namespace, resource, verb))) missing.push(verb);
    add(
      "right",
      missing.length === 0,
      `${resource} in ${namespace}: ${missing.length > 0 ? `no ${missing.join(", ")}` : verbs.join(", ")}`,
      "kubectl apply -f deploy/kubernetes.yaml",
    );
  }

  try {
    const { spec, status } = await api.ask<Claim>(
      "GET",
      `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${claim}`,
    );
    const modes = spec.accessModes ?? [];
    const ok = status?.phase === "Bound" && modes.includes("ReadWriteMany");
    add(
      "volume",
      ok,
      `${claim}: ${status?.phase ?? "?"}, ${modes.join(", ")}, storage class ${spec.storageClassName || "none"}, here at ${settings.mount}`,
      `kubectl --namespace ${namespace} describe persistentvolumeclaim ${claim}`,
    );
  } catch (error) {
    add("volume", false, (error as Error).message);
  }

  if (checks.every(({ ok }) => ok))
    try {
      await options.tryPod();
      add("image", true, settings.image);
      add("network", true, settings.network === "cut" ? "cut in each pod" : "policies in force");
    } catch (error) {
      add("pod", false, (error as Error).message, `kubectl --namespace ${namespace} get events`);
    }
  return { ok: checks.every((check) => check.ok), checks };
}

async function isAllowed(
  api: Api,
  namespace: string,
  resource: string,
  verb: string,
): Promise<boolean> {
  const [name, subresource] = resource.split("/");
  const review = await api
    .ask<{ status?: { allowed?: boolean } }>(
      "POST",
      "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        spec: { resourceAttributes: { namespace, verb, resource: name, subresource } },
      },
    )
    .catch(() => undefined);
  return review?.status?.allowed ?? false;
}

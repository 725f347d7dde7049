import { expect, test } from "vitest";
import type { ContainerSettings } from "../containers/types.ts";
import { readLimits } from "../limits/limits.ts";
import { podSpec } from "./pod-spec.ts";
import { readKubernetesSettings } from "./settings.ts";

const ENV = {
  TREADLE_KUBERNETES_IMAGE: "registry.test/sandbox:1",
  TREADLE_KUBERNETES_CLAIM: "data",
};
const CONTAINER: ContainerSettings = {
  project: "one",
  task: "sandbox",
  user: { uid: 4242, gid: 4243 },
  binds: [{ source: "/data/projects/one/files", target: "/home/project", writable: true }],
  store: [
    { source: "/data/projects/one/files", target: "/home/project" },
    { source: "/data/projects/one/state/checkpoints.git", target: "/run/git", writable: true },
  ],
  directory: "/home/project",
  limits: readLimits({ TREADLE_MEMORY_MB: "512", TREADLE_CPUS: "1.5" }),
};

interface Container {
  name: string;
  command: string[];
  env?: unknown;
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string; subPath?: string; readOnly?: boolean }[];
  resources: { limits: Record<string, string> };
}
interface Spec {
  securityContext: Record<string, unknown>;
  containers: Container[];
  initContainers: Container[];
  volumes: Record<string, unknown>[];
}

const specOf = (env: Record<string, string> = {}, container = CONTAINER) => {
  const settings = readKubernetesSettings({ ...ENV, ...env }, "/data/cache", undefined);
  const pod = podSpec("pod", container, { ...settings, owner: "me" }) as { spec: Spec };
  return pod.spec;
};

test("a pod has no token, no names of the cluster, no capability and nothing to write to but its folders", () => {
  const spec = specOf();
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    dnsPolicy: "None",
    restartPolicy: "Never",
    securityContext: {
      runAsUser: 4242,
      runAsGroup: 4243,
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    },
  });
  for (const grant of [
    "hostNetwork",
    "hostPID",
    "hostIPC",
    "shareProcessNamespace",
    "serviceAccountName",
  ])
    expect(spec).not.toHaveProperty(grant);
  for (const { securityContext, env } of [...spec.containers, ...spec.initContainers]) {
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(env).toBe(undefined);
  }
});

test("the sandbox sees the project alone; git beside it may write to the store, and not to the project", () => {
  const { containers, initContainers, volumes } = specOf();
  const mountsOf = ({ volumeMounts }: Container) =>
    volumeMounts
      .filter(({ name }) => name === "data")
      .map(({ mountPath, subPath, readOnly }) => [mountPath, subPath, readOnly]);
  expect(mountsOf(containers[0]!)).toEqual([["/home/project", "projects/one/files", false]]);
  expect(mountsOf(initContainers[0]!)).toEqual([
    ["/home/project", "projects/one/files", true],
    ["/run/git", "projects/one/state/checkpoints.git", false],
  ]);
  expect(volumes.filter((volume) => "hostPath" in volume)).toEqual([]);
});

test("memory, cores and the size of every temporary folder are limited", () => {
  const { containers, volumes } = specOf(
    {},
    { ...CONTAINER, scratch: ["/home/project"], binds: [] },
  );
  expect(containers[0]!.resources.limits).toMatchObject({
    memory: String(512 * 1024 * 1024),
    cpu: "1500m",
  });
  for (const { emptyDir } of volumes as { emptyDir?: { sizeLimit?: string } }[])
    if (emptyDir) expect(emptyDir.sizeLimit).toBeTruthy();
});

test("a folder outside the volume is refused, and so is the whole volume", () => {
  for (const source of ["/home/me/app", "/data", "/data-of-others/x"])
    expect(() =>
      specOf({}, { ...CONTAINER, binds: [{ source, target: "/home/project" }] }),
    ).toThrow(expect.objectContaining({ code: "sandbox" }) as Error);
});

test("where the network is cut, only the container that cuts it may change it", () => {
  const { initContainers, containers } = specOf({ TREADLE_KUBERNETES_NETWORK: "cut" });
  expect(initContainers.map(({ name }) => name)).toEqual(["cut", "store"]);
  expect(initContainers[0]!.securityContext.capabilities).toEqual({
    drop: ["ALL"],
    add: ["NET_ADMIN"],
  });
  expect(containers[0]!.securityContext.capabilities).toEqual({ drop: ["ALL"] });
});

test("an operator chooses the runtime, the nodes, the profile and the pull secrets", () => {
  expect(
    specOf({
      TREADLE_KUBERNETES_RUNTIME_CLASS: "gvisor",
      TREADLE_KUBERNETES_NODE_SELECTOR: "pool=apps, arch=x",
      TREADLE_KUBERNETES_PULL_SECRETS: "one,two",
      TREADLE_KUBERNETES_SECCOMP: "treadle.json",
    }),
  ).toMatchObject({
    runtimeClassName: "gvisor",
    nodeSelector: { pool: "apps", arch: "x" },
    imagePullSecrets: [{ name: "one" }, { name: "two" }],
    securityContext: { seccompProfile: { type: "Localhost", localhostProfile: "treadle.json" } },
  });
});

test.each([
  ["no image", { TREADLE_KUBERNETES_IMAGE: "" }],
  ["no claim", { TREADLE_KUBERNETES_CLAIM: " " }],
  ["an unknown network", { TREADLE_KUBERNETES_NETWORK: "open" }],
  ["a selector without a value", { TREADLE_KUBERNETES_NODE_SELECTOR: "pool" }],
  ["an address without a port", { TREADLE_KUBERNETES_SHUT: "10.0.0.1" }],
  ["a name for an address", { TREADLE_KUBERNETES_SHUT: "dns.test:53" }],
])("settings with %s are refused", (_, env) => {
  expect(() => specOf(env)).toThrow(expect.objectContaining({ code: "sandbox" }) as Error);
});

import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { memoryHit, type LimitHit } from "../limits/limit-words.ts";
import type { ResourceLimits } from "../limits/limits.ts";
import { MAIN } from "./pod-spec.ts";

/** What the driver reads of a pod. */
export interface Pod {
  metadata: { name: string; uid?: string };
  status?: {
    phase?: string;
    reason?: string;
    message?: string;
    hostIP?: string;
    podIP?: string;
    conditions?: { type: string; status: string; reason?: string; message?: string }[];
    containerStatuses?: ContainerStatus[];
    initContainerStatuses?: ContainerStatus[];
  };
}

interface ContainerStatus {
  name: string;
  image?: string;
  state?: {
    running?: object;
    waiting?: { reason?: string; message?: string };
    terminated?: { reason?: string; message?: string; exitCode?: number };
  };
}

/** Kubernetes' own reasons of a container that waits for an image it cannot have. */
const IMAGE_REASONS = new Set([
  "ErrImagePull",
  "ImagePullBackOff",
  "InvalidImageName",
  "ErrImageNeverPull",
  "ImageInspectError",
  "RegistryUnavailable",
]);
/** Reasons of a container that cannot be made as it was asked for. */
const CONTAINER_REASONS = new Set([
  "CreateContainerConfigError",
  "CreateContainerError",
  "RunContainerError",
]);

export type PodProgress =
  | { kind: "ready" }
  /** It may still start; `why` says what it waits for if that may last. */
  | { kind: "waiting"; why?: Sentence }
  | { kind: "failed"; why: Sentence };

/** How far a pod has come on its way to running. */
export function podProgress(pod: Pod): PodProgress {
  const { phase, message = "", conditions = [] } = pod.status ?? {};
  const all = [
    ...(pod.status?.initContainerStatuses ?? []),
    ...(pod.status?.containerStatuses ?? []),
  ];
  if (phase === "Failed" || phase === "Succeeded") return { kind: "failed", why: whyEnded(pod) };
  for (const { state, image = "" } of all) {
    const { reason = "", message: why = "" } = state?.waiting ?? {};
    if (IMAGE_REASONS.has(reason))
      return { kind: "failed", why: sentence("kubernetes-image", { image, why: why || reason }) };
    if (CONTAINER_REASONS.has(reason))
      return { kind: "failed", why: sentence("kubernetes-refused", { why: why || reason }) };
  }
  const main = all.find(({ name }) => name === MAIN);
  if (main?.state?.running) return { kind: "ready" };
  const unscheduled = conditions.find(
    ({ type, status, reason }) =>
      type === "PodScheduled" && status === "False" && reason === "Unschedulable",
  );
  return unscheduled
    ? {
        kind: "waiting",
        why: sentence("kubernetes-unschedulable", { why: unscheduled.message ?? message }),
      }
    : { kind: "waiting" };
}

/** Why a pod that ran has ended. */
export function whyEnded(pod: Pod): Sentence {
  const { reason, message } = pod.status ?? {};
  if (reason === "Evicted") return sentence("kubernetes-evicted", { why: message ?? reason });
  const ended = pod.status?.containerStatuses?.find(({ name }) => name === MAIN)?.state?.terminated;
  return sentence("kubernetes-pod-ended", {
    why: message ?? ended?.message ?? ended?.reason ?? reason ?? "",
  });
}

/** The limit of the project that ended a pod, if it was one. */
export function limitOf(pod: Pod, limits: ResourceLimits): LimitHit | undefined {
  const ended = pod.status?.containerStatuses?.find(({ name }) => name === MAIN)?.state?.terminated;
  if (ended?.reason === "OOMKilled") return memoryHit(limits);
  if (pod.status?.reason === "Evicted") {
    const why = whyEnded(pod);
    return { limit: "disk", words: `treadle: ${why.text}\n` };
  }
  return undefined;
}

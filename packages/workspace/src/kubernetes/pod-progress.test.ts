import { expect, test } from "vitest";
import { readLimits } from "../limits/limits.ts";
import { limitOf, podProgress, whyEnded, type Pod } from "./pod-progress.ts";

const pod = (status: Pod["status"]): Pod => ({ metadata: { name: "a" }, status });
const main = (state: object, image = "registry.test/sandbox:1") => ({
  containerStatuses: [{ name: "sandbox", image, state }],
});
const codeOf = (one: Pod) => {
  const progress = podProgress(one);
  const why = "why" in progress ? progress.why : undefined;
  return why?.coded?.code ?? progress.kind;
};

test.each([
  ["was only created", {}, "waiting"],
  ["pulls its image", main({ waiting: { reason: "ContainerCreating" } }), "waiting"],
  ["runs", { phase: "Running", ...main({ running: {} }) }, "ready"],
  [
    "names an image that is not there",
    main({ waiting: { reason: "ErrImagePull" } }),
    "kubernetes-image",
  ],
  [
    "is refused its image again",
    main({ waiting: { reason: "ImagePullBackOff" } }),
    "kubernetes-image",
  ],
  [
    "cannot be made",
    main({ waiting: { reason: "CreateContainerConfigError" } }),
    "kubernetes-refused",
  ],
  [
    "fits on no node",
    {
      conditions: [
        { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/1" },
      ],
    },
    "kubernetes-unschedulable",
  ],
  [
    "was evicted at once",
    { phase: "Failed", reason: "Evicted", message: "disk" },
    "kubernetes-evicted",
  ],
  [
    "ended at once",
    { phase: "Succeeded", ...main({ terminated: { reason: "Completed" } }) },
    "kubernetes-pod-ended",
  ],
] as const)("a pod that %s", (_, status, expected) => {
  expect(codeOf(pod(status as Pod["status"]))).toBe(expected);
});

test("an init container without its image fails the pod", () => {
  const init = { name: "cut", state: { waiting: { reason: "InvalidImageName" } } };
  expect(codeOf(pod({ initContainerStatuses: [init] }))).toBe("kubernetes-image");
});

test("a pod that only the scheduler holds up may still start", () => {
  const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable" };
  expect(podProgress(pod({ conditions: [condition] })).kind).toBe("waiting");
});

test("tells memory and eviction from other ends", () => {
  const limits = readLimits({});
  const killed = pod({ phase: "Failed", ...main({ terminated: { reason: "OOMKilled" } }) });
  expect(limitOf(killed, limits)?.limit).toBe("memory");
  const evicted = pod({ phase: "Failed", reason: "Evicted", message: "emptyDir exceeds 1Gi" });
  expect(limitOf(evicted, limits)).toMatchObject({ limit: "disk" });
  expect(whyEnded(evicted).coded?.code).toBe("kubernetes-evicted");
  expect(limitOf(pod({ phase: "Succeeded" }), limits)).toBe(undefined);
});

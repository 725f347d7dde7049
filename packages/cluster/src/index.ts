export { type Cluster, type Concern, createCluster } from "./cluster.ts";
export { type Ownership, soleOwnership } from "./ownership.ts";
export { type ClusterSettings, readClusterSettings } from "./settings.ts";

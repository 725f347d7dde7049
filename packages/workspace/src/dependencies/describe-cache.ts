import type { MachineReport } from "../types.ts";
import type { PreparedTree } from "./prepared-trees.ts";
import { LIMIT_VARIABLE, treeBytes } from "./tree-limit.ts";

const MB = 1024 * 1024;

/** Describes how dependencies are installed here and what is cached, for `treadle doctor`. */
export function describeCache(
  way: { way: "overlay" | "link" | "copy"; because?: string },
  trees: readonly PreparedTree[],
  limit: number,
): MachineReport["checks"][number] {
  const how = {
    overlay: "mounted by overlay",
    link: "linked, which is slower",
    copy: "copied, which is slower",
  }[way.way];
  const used = `${trees.length} prepared, ${Math.ceil(treeBytes(trees) / MB)} of ${Math.round(limit / MB)} MB (${LIMIT_VARIABLE})`;
  const why = way.because === undefined ? "" : `; overlay: ${way.because}`;
  return { name: "dependencies", ok: true, detail: `${how}; ${used}${why}` };
}

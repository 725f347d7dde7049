import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { inMegabytes, limitVariable, type ResourceLimits } from "./limits.ts";

/** A limit that a project reached, with the text about it for the person and the model. */
export interface LimitHit {
  limit: "memory" | "processes" | "disk";
  words: string;
}

export function memoryHit(limits: ResourceLimits): LimitHit {
  const { memory } = limits;
  return {
    limit: "memory",
    words: `treadle: the project needed more than the ${inMegabytes(memory)} of memory that it may have, so its largest program was ended. ${limitVariable("memory", limits)} sets this limit.\n`,
  };
}

export function processesHit(limits: ResourceLimits): LimitHit {
  const { processes } = limits;
  return {
    limit: "processes",
    words: `treadle: the project has ${processes} processes and threads, as many as it may have, so no more of them start. ${limitVariable("processes", limits)} sets this limit.\n`,
  };
}

/** @param why the reason if another limit than the project's own was reached */
export function diskHit(limits: ResourceLimits, used: number, why?: Sentence): LimitHit {
  const { disk } = limits;
  return {
    limit: "disk",
    words: why
      ? `treadle: ${why.text} Everything that ran in the project was ended; nothing was removed.\n`
      : `treadle: the project takes ${inMegabytes(used)} of the disk and may take ${inMegabytes(disk)}, so everything that ran in it was ended. Remove some of its files. ${limitVariable("disk", limits)} sets this limit.\n`,
  };
}

export function diskNear(limit: number, used: number): LimitHit {
  return {
    limit: "disk",
    words: `treadle: the project takes ${inMegabytes(used)} of the disk, and ${inMegabytes(limit)} is the most that it may take. Beyond that nothing can be written.\n`,
  };
}

/** Why writing is refused. */
export const diskFull = (limits: ResourceLimits, used: number): Sentence =>
  sentence("disk-limit-exceeded", {
    used: inMegabytes(used),
    limit: inMegabytes(limits.disk),
    variable: limitVariable("disk", limits),
  });

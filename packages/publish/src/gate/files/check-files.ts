import type { Gate } from "@treadle/protocol";
import { offThread } from "@treadle/parsing";
import type { parse, ReleaseFiles } from "./check-files.parser.ts";
import { gateOf } from "../gate-of.ts";
import { NOT_SEARCHED } from "./not-searched.ts";

/** Time limit in milliseconds: a large project has tens of megabytes of sources and output. */
const LIMIT_MS = 120_000;

const checkOffThread = offThread<typeof parse>(import.meta.url, "./check-files.parser.ts", {
  limitMs: LIMIT_MS,
});

/** Checks what can be judged without running a release. Files that take too long are a finding. */
export const checkFiles = (files: ReleaseFiles): Promise<Gate> =>
  checkOffThread({ lane: "gate" }, files).catch(() => gateOf([NOT_SEARCHED], []));

import type {
  CheckReport,
  Evidence,
  EvidencePart,
  Finding,
  PageReport,
  PartEvidence,
} from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { asSentence, sentence, type Sentence } from "@treadle/protocol/sentences";
import { clipMiddle } from "../text/clip.ts";
import { refusedNote } from "../project/refused-hosts.ts";
import type { Clock } from "../ports/clock.ts";
import type { Browser } from "../ports/browser.ts";
import type { PicturePort } from "../ports/pictures.ts";
import { addWanted, missed, namesMissing, wantedWords } from "./wanted-hosts.ts";

/** Maximum length of the details of a part that a person can open, in characters. */
const DETAIL_LIMIT = 8_000;
const PAGES_KEPT = 8;
const FINDINGS_KEPT = 40;

/** The state and the helpers of one observation of a project. */
export interface Observation {
  workspace: Workspace;
  browser?: Browser;
  /** Without it no pictures are taken. */
  keepPicture?: PicturePort["save"];
  clock: Clock;
  signal: AbortSignal;
  /** Sets a part of the evidence and announces it. */
  settle(
    part: EvidencePart,
    state: PartEvidence["state"],
    summary: string | Sentence,
    more?: { detail?: string; since?: number },
  ): void;
  /** Adds a page. @param options.isBeside inserts it before the last entry, which is the first page */
  page(report: PageReport, options?: { isBeside?: boolean }): void;
  /** Hosts to which the app's processes were refused access since the observation began; grows meanwhile. */
  readonly refused: ReadonlySet<string>;
  /** Allowed hosts that could not be reached since the observation began; grows meanwhile. */
  readonly unreached: ReadonlySet<string>;
  /** Packages that may not be installed before a second person approves them; grows meanwhile. */
  readonly refusedPackages?: ReadonlySet<string>;
  /** Adds a finding beside the verdict and announces it. Findings after the 40th are dropped. */
  finding(finding: Finding): void;
  /** Sets the current reports of the project's own checks, and announces them. */
  checks(reports: CheckReport[]): void;
  readonly evidence: Evidence;
}

/** What a part says that cannot be tried before packages are approved. */
function packagesAwaited(names: readonly string[]): Pick<PartEvidence, "summary" | "summaryCode"> {
  const { text, coded } = sentence("packages-await-approval", { packages: names.join(", ") });
  return { summary: text, summaryCode: coded };
}

/** Starts an observation. @param onEvidence called with a copy after every change of a part */
export function createObservation(
  options: Omit<Observation, "settle" | "page" | "checks" | "finding" | "evidence"> & {
    evidence: Evidence;
    onEvidence: (evidence: Evidence) => void;
  },
): Observation {
  const { evidence, onEvidence, clock, refused, refusedPackages = new Set() } = options;
  return {
    ...options,
    settle(part, tried, summary, { detail: seen, since } = {}) {
      const { text: message, coded } = asSentence(summary);
      const now = clock.now();
      const hosts = missed(options);
      for (const host of hosts) addWanted(evidence, host);
      // A failure caused by an unreachable host proves nothing about the app. Pages are judged where they are observed.
      const missing =
        tried === "failed" &&
        part !== "page" &&
        part !== "console" &&
        namesMissing(`${message}\n${seen ?? ""}`, hosts);
      // Nor does an install that waits for an approval.
      const awaited =
        tried === "failed"
          ? [...refusedPackages].filter((name) => `${message}\n${seen ?? ""}`.includes(name))
          : [];
      const state = missing || awaited.length > 0 ? "untried" : tried;
      // A refused host is mentioned if it may be the cause.
      const detail =
        tried === "failed" ? `${seen ?? ""}${refusedNote(refused, refusedPackages)}` : seen;
      evidence.parts[part] = {
        state,
        ...(awaited.length > 0
          ? packagesAwaited(awaited)
          : missing
            ? { summary: `${message}: it ${wantedWords(hosts)}` }
            : { summary: message, summaryCode: coded }),
        detail: detail ? clipMiddle(detail, DETAIL_LIMIT) : undefined,
        at: state === "going" || state === "untried" ? undefined : now,
        ms: since === undefined ? undefined : Math.max(0, now - since),
      };
      onEvidence(structuredClone(evidence));
    },
    page(report, { isBeside = false } = {}) {
      if (isBeside) evidence.pages.splice(-1, 0, report);
      else evidence.pages.push(report);
      for (const host of report.wanted ?? []) addWanted(evidence, host);
      if (evidence.pages.length > PAGES_KEPT) evidence.pages.shift();
    },
    finding(finding) {
      evidence.findings = [...(evidence.findings ?? []), finding].slice(0, FINDINGS_KEPT);
      onEvidence(structuredClone(evidence));
    },
    checks(reports) {
      evidence.checks = reports;
      onEvidence(structuredClone(evidence));
    },
  };
}

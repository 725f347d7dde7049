import { EVIDENCE_PARTS, type Evidence, type EvidencePart, type Verdict } from "./types.ts";

/** Evidence of a revision that nobody has looked at yet. */
export function untriedEvidence(revision: string): Evidence {
  const untried = () => ({ state: "untried" as const, summary: "not tried yet" });
  return {
    revision,
    parts: {
      install: untried(),
      build: untried(),
      serve: untried(),
      page: untried(),
      console: untried(),
    },
    pages: [],
  };
}

/**
 * What the evidence says. One broken part makes the revision `failed`; one part that was not seen makes it
 * `unverified`. `verified` also needs something that was really served: a project in which nothing applies proves nothing.
 * @returns the verdict, the part that decided it, and one sentence that says why.
 */
export function judge(evidence: Evidence): {
  verdict: Verdict;
  part?: EvidencePart;
  reason: string;
} {
  for (const part of EVIDENCE_PARTS) {
    const { state, summary } = evidence.parts[part];
    if (state === "failed") return { verdict: "failed", part, reason: summary };
  }
  for (const part of EVIDENCE_PARTS) {
    const { state, summary } = evidence.parts[part];
    if (state === "untried" || state === "going")
      return { verdict: "unverified", part, reason: `${part}: ${summary}` };
  }
  if (evidence.parts.serve.state !== "held")
    return { verdict: "unverified", part: "serve", reason: "nothing was served" };
  return { verdict: "verified", reason: heldWords(evidence).join(", ") };
}

/** What was seen to hold, in words a person reads: "installed", "built", "served", "page rendered", "no errors". */
export function heldWords(evidence: Evidence): string[] {
  const words: Record<EvidencePart, string> = {
    install: "installed",
    build: "built",
    serve: evidence.parts.page.state === "inapplicable" ? "request answered" : "served",
    page: "page rendered",
    console: "no errors",
  };
  return EVIDENCE_PARTS.filter((part) => evidence.parts[part].state === "held").map(
    (part) => words[part],
  );
}

import type { Evidence, EvidencePart } from "@treadle/protocol";
import { EVIDENCE_PARTS, heldWords } from "@treadle/protocol/evidence";
import { count } from "../ui/format.ts";

const GOING: Record<EvidencePart, string> = {
  install: "Installing…",
  build: "Building…",
  serve: "Waiting for the server…",
  page: "Looking at the page…",
  console: "Reading the console…",
};

/** A look in one line: what goes on, else what failed, else what held. */
export function lookTitle(evidence: Evidence): { title: string; failed: boolean; going: boolean } {
  const { parts, pages, checks = [] } = evidence;
  const going = EVIDENCE_PARTS.find((part) => parts[part].state === "going");
  if (going) return { title: GOING[going], failed: false, going: true };
  const trying = checks.find(({ state }) => state === "going");
  if (trying) return { title: `Trying “${trying.name}”…`, failed: false, going: true };
  const failed = EVIDENCE_PARTS.find((part) => parts[part].state === "failed");
  const broken = checks.filter(({ state }) => state === "failed");
  if (!failed && broken.length > 0) {
    const [first] = broken;
    const title =
      broken.length === 1 ? `the check “${first?.name}”` : count(broken.length, "check");
    return { title: `Looked: ${title} failed`, failed: true, going: false };
  }
  if (!failed) {
    const words = heldWords(evidence);
    return {
      title: words.length === 0 ? "Looked" : `Looked: ${words.join(", ")}`,
      failed: false,
      going: false,
    };
  }
  const page = pages.at(-1);
  const errors = page ? page.uncaughtErrors.length + page.consoleErrors.length : 0;
  const seen = failed === "page" || failed === "console";
  return {
    title:
      seen && errors > 0 ? `Looked: ${count(errors, "error")}` : `Looked: ${parts[failed].summary}`,
    failed: true,
    going: false,
  };
}

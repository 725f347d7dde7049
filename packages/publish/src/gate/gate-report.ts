import type { Gate, GateFinding, Release } from "@treadle/protocol";

const time = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Escapes a text from the app for Markdown, on one line. */
const plain = (text: string) => text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>#|!&]/g, "\\$&");

const entry = ({ title, where, todo }: GateFinding) =>
  `- **${plain(title)}** ${plain(where)}\n  ${plain(todo)}\n`;

/**
 * A Markdown report of what was found in a release before it was published, and who decided about
 * it.
 */
export function gateReport(name: string, release: Release, gate: Gate): string {
  const ofSeverity = (severity: GateFinding["severity"]) =>
    gate.findings.filter((one) => one.severity === severity).map(entry);
  const part = (title: string, entries: string[]) =>
    entries.length === 0 ? "" : `\n## ${title}\n\n${entries.join("")}`;
  const { decided } = gate;
  return [
    `# Release ${release.number} of ${plain(name)}\n\n`,
    `Revision ${release.revision}, made on ${time(release.at)}: ${plain(release.label)}\n`,
    decided ? `\nPublished all the same by ${plain(decided.by)} on ${time(decided.at)}.\n` : "",
    gate.findings.length === 0 ? "\nNothing was found.\n" : "",
    part("Serious", ofSeverity("serious")),
    part("To know", ofSeverity("minor")),
    part(
      "Not checked",
      gate.unchecked.map((text) => `- ${plain(text)}\n`),
    ),
  ].join("");
}

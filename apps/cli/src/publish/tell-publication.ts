import type { Gate, Publication } from "@treadle/protocol";
import { EXIT } from "../terminal/exit-status.ts";
import { jsonLine } from "../terminal/json-line.ts";
import { plain } from "../terminal/plain.ts";

/**
 * Prints how a project is published: addresses on stdout, findings on stderr.
 * @param made the number of the requested release, if there is one
 * @returns the exit status
 */
export function tellPublication(
  publication: Publication,
  made: number | undefined,
  json: boolean,
): number {
  const { releases, current, address, publicAddresses, port } = publication;
  const release = releases.find(({ number }) => number === made);
  const failed = release?.state === "failed";
  const held = release?.state === "held";
  if (json) process.stdout.write(jsonLine(publication));
  else {
    if (release?.gate) process.stderr.write(plain(gateLines(release.gate)));
    if (failed)
      process.stderr.write(`${plain([release.output, release.said].filter(Boolean).join("\n"))}\n`);
    else if (held)
      process.stderr.write(
        `Release ${made} is held, and nothing has changed for the app's users. Fix what was found, or publish it all the same with --anyway.\n`,
      );
    else {
      if (port?.problem !== undefined) process.stderr.write(`! ${plain(port.problem)}\n`);
      const addresses = [...publicAddresses, ...(port?.addresses ?? []), address].join("\n");
      // An app may get a domain or a port before its first release: then nothing answers there yet.
      const message =
        current === undefined
          ? "Nothing is published yet. Once it is, its address is"
          : `Release ${current} is published.`;
      process.stdout.write(`${message}\n${addresses}\n`);
    }
  }
  return failed || held ? EXIT.failed : EXIT.verified;
}

/** Formats the findings, each with its remedy on the next line, and what was not checked. */
function gateLines({ findings, unchecked }: Gate): string {
  const found = findings.map(
    ({ severity, title, where, todo }) =>
      `${severity === "serious" ? "!" : "-"} ${title} ${where}\n  ${todo}\n`,
  );
  return [...found, ...unchecked.map((text) => `? ${text}\n`)].join("");
}

import type { Treadle } from "@treadle/client";
import type { MissingVariables } from "@treadle/protocol";
import { plain } from "../terminal/plain.ts";

/**
 * Lists on stderr the variables of the project's `.env` files that the published app lacks.
 * @param takes saves those that can be saved as secrets of the published app, and lists only the others
 * @returns whether some were saved, in which case a running app is restarted
 */
export async function reportVariables(
  treadle: Treadle,
  id: string,
  takes: boolean,
): Promise<boolean> {
  const path = "/api/projects/{id}/publication/missing-variables" as const;
  const request = { params: { path: { id } } };
  const { data: before } = await treadle.api.GET(path, request);
  if (!takes || before!.findings.length === 0) {
    write(before!, id);
    return false;
  }
  const { data: after } = await treadle.api.POST(path, request);
  const rest = new Set(after!.findings.flatMap(({ names }) => names));
  const taken = before!.findings.flatMap(({ names }) => names).filter((name) => !rest.has(name));
  if (taken.length > 0)
    process.stderr.write(plain(`Kept as secrets of the published app: ${taken.join(", ")}\n`));
  write(after!, id);
  return taken.length > 0;
}

function write({ findings }: MissingVariables, id: string): void {
  for (const { code, path, names } of findings)
    process.stderr.write(
      plain(`- ${path} is not published, so what is published lacks ${names.join(", ")}.\n`) +
        (code === "env-not-published"
          ? `  To keep them as secrets of the published app: treadle publish ${id} --take-env\n`
          : "  A site's build gets no secrets: write what everybody may see into the sources.\n"),
    );
}

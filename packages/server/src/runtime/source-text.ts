import { checkPath, type Workspace } from "@treadle/workspace";

/** Maximum size of a file that is searched for a line, in bytes. */
const MOST = 1024 * 1024;

/** The text of a project's file, or undefined if it is missing or larger than 1 MB. Never rejects. */
export async function sourceText(
  runtime: { workspace(): Promise<Workspace> },
  path: string,
): Promise<string | undefined> {
  try {
    const { files } = await runtime.workspace();
    const { bytes } = await files.read(checkPath(path), { limit: MOST });
    return Buffer.from(bytes).toString("utf8");
  } catch {
    return undefined;
  }
}

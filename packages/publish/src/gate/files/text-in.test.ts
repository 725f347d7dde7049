import { expect, it } from "vitest";
import { FakeDriver } from "../../../../workspace/src/testing/fake-workspace.test-support.ts";
import { privateOfEnvFiles } from "../../share/private-values.ts";
import { parse as findSecrets } from "../secrets/find-secrets.parser.ts";
import { sourceFiles } from "./gather-files.ts";
import { envOf } from "../look-over.ts";
import { randomText, SECRETS } from "../planted.test-support.ts";
import { textIn } from "./text-in.ts";

/** UTF-16 as PowerShell writes it, with and without a byte-order mark, in either byte order. */
const wide = (text: string, mark = "\uFEFF") => Buffer.from(mark + text, "utf16le");
const turned = (text: string) => wide(text).swap16();

const open = async (files: Record<string, Uint8Array>) => {
  const workspace = await new FakeDriver().open({
    project: "p",
    directory: "/p",
    stateDirectory: "/p.state",
    settings: { hosts: [], staticHosts: true, secrets: [] },
  });
  for (const [path, bytes] of Object.entries(files)) workspace.put(path, bytes);
  return workspace;
};

it("finds a key in a UTF-16 file like in any other", async () => {
  const text = `one\r\nkey = ${SECRETS["A GitHub token"]}\r\n`;
  const { files } = await sourceFiles(
    await open({ "a.txt": wide(text), "b.txt": turned(text), "c.txt": wide(text, "") }),
  );
  expect((await findSecrets(files, "source")).map(({ where }) => where)).toEqual([
    "a.txt:2",
    "b.txt:2",
    "c.txt:2",
  ]);
});

it("reads a UTF-16 .env for the gate and for shared conversations", async () => {
  const value = randomText(24, 310);
  const workspace = await open({ ".env": wide(`MAIL_PASSWORD=${value}\r\n`) });
  expect(await envOf(workspace)).toEqual([{ name: "MAIL_PASSWORD", value }]);
  expect(await privateOfEnvFiles(workspace)).toEqual([value]);
});

it("reads everything else as UTF-8: short text, other alphabets, or no text at all", () => {
  for (const text of ["", "a", "Größe — размер — 大きさ", "\0\0\0\0\0\0\0\0\0\0"])
    expect(textIn(Buffer.from(text))).toBe(text);
  expect(textIn(wide("Größe — размер"))).toBe("Größe — размер");
});

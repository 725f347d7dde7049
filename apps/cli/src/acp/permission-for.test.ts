import { expect, it } from "vitest";
import { permissionFor } from "./permission-for.ts";
import { updatesOf } from "./updates-of.ts";

it("A103 shows an editor the whole action, as code that its content cannot end or hide", () => {
  const { toolCall } = permissionFor("s", {
    kind: "approval",
    id: "q",
    call: "c",
    tool: "run_command",
    why: "It removes\na folder.\u202e",
    subject: { kind: "command", what: ["rm -rf a\n```\n# fine\u200b\u001b[2J\n````"] },
    digest: "d",
    mayRemember: true,
  });
  expect(toolCall.title).toBe("run command: It removes a folder.\\u{202e}");
  expect(toolCall.content).toEqual([
    {
      type: "content",
      content: {
        type: "text",
        text: "`````\nrm -rf a\n```\n# fine\\u{200b}\\u{1b}[2J\n````\n`````",
      },
    },
  ]);
});

it.each(["../../etc/passwd", "/etc/passwd", "a/../../b", "C:\\x"])(
  "A103 an editor opens nothing outside of its folder: %s",
  (path) => {
    const [update] = updatesOf(
      { type: "call-input", call: "c", input: { path, content: "x\u202ey" } },
      "/home/me/app",
    );
    expect(update).toMatchObject({ locations: [], rawInput: { content: "x\\u{202e}y" } });
  },
);

it("an editor opens the written file", () => {
  const [update] = updatesOf(
    { type: "call-input", call: "c", input: { path: "./src//a.ts" } },
    "/home/me/app",
  );
  expect(update).toMatchObject({ locations: [{ path: "/home/me/app/src/a.ts" }] });
});

import { describe, expect, test } from "vitest";
import { createArtifactParser } from "./parse.ts";
import { readQuickActions } from "./quick-actions.ts";
import { recoverFences } from "./recovery.ts";
import type { ArtifactEvent, ArtifactLimits } from "./types.ts";

function parse(message: string, limits: Partial<ArtifactLimits> = {}, recover = false) {
  const events: ArtifactEvent[] = [];
  const parser = createArtifactParser({
    onEvent: (event) => events.push(event),
    limits,
    recover: recover ? recoverFences : undefined,
    quickActions: readQuickActions,
  });
  for (const character of message) parser.write(character);
  parser.end();
  const ofType = <T extends ArtifactEvent["type"]>(type: T) =>
    events.filter((event): event is Extract<ArtifactEvent, { type: T }> => event.type === type);
  const text = ofType("text").map((event) => event.text).join(""); // prettier-ignore
  return { events, text, of: ofType, actions: ofType("action-close"), errors: ofType("error") };
}

const wrap = (inside: string) => `<boltArtifact id="a" title="t">${inside}</boltArtifact>`;
const file = (content: string, path = "a.ts") =>
  `<boltAction type="file" filePath="${path}">${content}</boltAction>`;

describe("content", () => {
  test("A43 keeps a closing tag that is followed by more content on its line", () => {
    const { actions } = parse(wrap(file("a\nconst x = '</boltAction>';\nb\n")));
    expect(actions).toMatchObject([
      { content: "a\nconst x = '</boltAction>';\nb\n", complete: true },
    ]);
  });

  test("keeps the first line's indentation, entities and CRLF", () => {
    const { actions } = parse(wrap(file("\r\n  a &lt; b\r\n  c\r\n\r\n")));
    expect(actions[0]?.content).toBe("  a &lt; b\r\n  c\r\n");
  });

  test("closes cut content with complete false and the received text", () => {
    const { actions, of: ofType } = parse(
      '<boltArtifact id="a"><boltAction type="shell">rm -rf /ho',
    );
    expect(actions).toMatchObject([{ content: "rm -rf /ho", complete: false }]);
    expect(ofType("artifact-close")).toMatchObject([{ complete: false }]);
  });

  test("continues the same action after a cut at the output limit", () => {
    const events: ArtifactEvent[] = [];
    const parser = createArtifactParser({ onEvent: (event) => events.push(event) });
    parser.write('<boltArtifact id="a"><boltAction type="file" filePath="a.ts">\nfirst ha');
    parser.write("lf\n</boltAction></boltArtifact>");
    parser.end();
    expect(events.filter((event) => event.type === "action-open")).toHaveLength(1);
    expect(events).toContainEqual(
      expect.objectContaining({ content: "first half\n", complete: true }),
    );
  });
});

describe("tags", () => {
  test("A44 reads > and entities inside attribute values, in either quotes, in any order", () => {
    const { of: ofType, actions } = parse(
      `<BOLTARTIFACT title='a > b &amp; "c"' data-type="no"\n id=x ><boltaction FILEPATH="s/a&gt;.ts" data-type="shell" TYPE="file">x</ boltAction ></boltArtifact >`,
    );
    expect(ofType("artifact-open")).toEqual([
      { type: "artifact-open", artifact: 0, id: "x", title: 'a > b & "c"' },
    ]);
    expect(actions).toMatchObject([{ actionType: "file", filePath: "s/a>.ts", content: "x\n" }]);
  });

  test("A45 reports an unknown type as a typed error and continues", () => {
    const { errors, actions } = parse(
      wrap(
        '<boltAction type="deploy">x</boltAction><boltAction type="start">npm start</boltAction>',
      ),
    );
    expect(errors).toMatchObject([{ code: "unknown-action-type", action: 0 }]);
    expect(actions.map(({ actionType }) => actionType)).toEqual(["deploy", "start"]);
  });

  test("A46 treats __proto__ and constructor as plain names", () => {
    const { actions } = parse(wrap(file("x", "__proto__") + '\n<boltAction type="file" __proto__="y" constructor="z" filePath="constructor">x</boltAction>')); // prettier-ignore
    expect(actions.map(({ filePath }) => filePath)).toEqual(["__proto__", "constructor"]);
  });

  test.each(["../../etc/x", "/etc/x", "C:\\x", "..\\x", "%2e%2e/x", "a\0b", "a/../../b", ""])(
    "A18 refuses the path %j",
    (path) => {
      const { errors, actions } = parse(wrap(file("x", path)));
      expect(errors).toMatchObject([{ code: "path-refused" }]);
      expect(actions[0]).not.toHaveProperty("filePath");
    },
  );

  test("drops the workspace's own root from a path", () => {
    expect(parse(wrap(file("x", "/home/project/src/a.ts"))).actions[0]?.filePath).toBe("src/a.ts");
  });

  test("reads supabase actions, and requires a path only for migrations", () => {
    const { actions, errors } = parse(
      wrap(
        '<boltAction type="supabase" operation="query">select 1</boltAction><boltAction type="supabase" operation="migration" filePath="m.sql">x</boltAction><boltAction type="supabase" operation="migration">x</boltAction>',
      ),
    );
    expect(actions.map(({ operation }) => operation)).toEqual(["query", "migration", "migration"]);
    expect(errors).toMatchObject([{ code: "path-missing", action: 2 }]);
  });

  test("accepts self-closing actions and several artifacts", () => {
    const { actions, of: ofType } = parse(
      `${wrap('<boltAction type="start"/>')} and ${wrap(file("x"))}`,
    );
    expect(actions).toMatchObject([
      { artifact: 0, action: 0, content: "" },
      { artifact: 1, action: 1, content: "x\n" },
    ]);
    expect(ofType("artifact-close")).toMatchObject([{ complete: true }, { complete: true }]);
  });

  test("puts actions outside of artifacts into an implied one", () => {
    const { of: ofType, text } = parse(
      `a ${file("x")}\n<boltAction type="shell">ls</boltAction> b`,
    );
    expect(ofType("artifact-open")).toMatchObject([{ artifact: 0, id: "", title: "" }]);
    expect(ofType("action-close")).toHaveLength(2);
    expect(text).toBe("a  b");
  });
});

describe("prose", () => {
  test.each([
    ['`<boltAction type="shell">rm</boltAction>`'],
    ["``a ` <boltArtifact>`` b"],
    ["```xml\n" + wrap(file("x")) + "\n```\n"],
    ["<think>" + wrap('<boltAction type="shell">rm</boltAction>') + "</think>"],
    ["<thinking>" + wrap(file("x")) + "</thinking> done"],
  ])("leaves tags in code and thinking as text: %j", (message) => {
    const { events, text } = parse(message);
    expect(text).toBe(message);
    expect(events.every(({ type }) => type === "text")).toBe(true);
  });

  test("a lone backtick hides at most its line", () => {
    expect(parse(`a lone \` here\n${wrap(file("x"))}`).actions).toHaveLength(1);
  });

  test("reports quick actions as separate events", () => {
    const { of: ofType, text } = parse(
      'a<bolt-quick-actions>\n<bolt-quick-action type="message" message="go > on">Go on</bolt-quick-action>\n<bolt-quick-action type="link" href="https://x.y"> Docs </bolt-quick-action></bolt-quick-actions>b',
    );
    expect(ofType("quick-action")).toEqual([
      { type: "quick-action", actionType: "message", label: "Go on", message: "go > on" },
      { type: "quick-action", actionType: "link", label: "Docs", href: "https://x.y" },
    ]);
    expect(text).toBe("ab");
  });
});

describe("limits", () => {
  test("an opening tag at the limit is read, one past it is text", () => {
    const tag = '<boltAction type="start"';
    const at = parse(`${tag}>go</boltAction>`, { tagCharacters: tag.length + 1 });
    expect(at.actions).toMatchObject([{ content: "go" }]);
    const tooLong = parse(`${tag}>go</boltAction>`, { tagCharacters: tag.length });
    expect(tooLong.actions).toEqual([]);
    expect(tooLong.errors).toMatchObject([{ code: "tag-too-long" }]);
    expect(tooLong.text).toBe(`${tag}>go</boltAction>`);
  });

  test("content at the limit is complete, beyond it is cut and incomplete", () => {
    const at = parse(wrap(file("1234")), { contentCharacters: 5 });
    expect(at.actions).toMatchObject([{ content: "1234\n", complete: true }]);
    const tooLong = parse(wrap(file("123456")), { contentCharacters: 5 });
    expect(tooLong.actions).toMatchObject([{ content: "12345", complete: false }]);
    expect(tooLong.errors).toMatchObject([{ code: "content-too-long", action: 0 }]);
  });
});

describe("recovery", () => {
  test("opens a fence that contains an artifact", () => {
    const { actions, text } = parse(`Here:\n\`\`\`xml\n${wrap(file("x"))}\n\`\`\`\nDone`, {}, true);
    expect(actions).toMatchObject([{ content: "x\n", complete: true }]);
    expect(text.replace(/\n+/g, "\n")).toBe("Here:\nDone");
  });

  test("ignores fences once the message contains artifacts", () => {
    const { actions } = parse(
      `${wrap(file("x"))}\nThen:\n\`\`\`bash\nnpm run dev\n\`\`\`\n`,
      {},
      true,
    );
    expect(actions).toHaveLength(1);
  });

  test.each([
    "Output:\n```console\n$ npm i\n```",
    "Set up Next.js:\n```js\nx\n```",
    "Change it:\n```diff\n-a\n+b\n```",
    "Call `app.use` first:\n```ts\napp.use(cors());\n```",
    "Reply with `res.json`:\n```ts\nres.json(all);\n```",
    "```12:15:src/a.ts\nx\n```",
    "src/a.ts and src/b.ts:\n```ts\nx\n```",
  ])("leaves what is only shown as text: %j", (message) => {
    expect(parse(message, {}, true).text).toBe(message);
  });
});

describe("an ambiguous end", () => {
  const open = '<boltAction type="file" filePath="a.ts">';

  test("words after a closing tag are prose if an action or the artifact's end follows", () => {
    const { actions } = parse(
      wrap(`${file("a\n", "a.ts")} Now the second file:\n${file("b\n", "b.ts")} Done.\n`),
    );
    expect(actions.map(({ content, filePath }) => [filePath, content])).toEqual([
      ["a.ts", "a\n"],
      ["b.ts", "b\n"],
    ]);
  });

  test("words after the last closing tag of a message are prose", () => {
    const { actions, text } = parse(`${file("a\n")} That is it.`);
    expect(actions).toMatchObject([{ content: "a\n", complete: true }]);
    expect(text).toBe(" That is it.");
  });

  test("an unclosed action ends where its artifact ends on a line of its own", () => {
    const {
      actions,
      text,
      of: ofType,
    } = parse(
      `<boltArtifact id="a">${open}\none\n</boltArtifact>\nThen:\n${wrap(file("two", "b.ts"))}`,
    );
    expect(actions).toMatchObject([
      { content: "one\n", complete: true, endImplied: true, artifact: 0 },
      { content: "two\n", complete: true, artifact: 1 },
    ]);
    expect(actions[1]).not.toHaveProperty("endImplied");
    expect(text).toBe("\nThen:\n");
    expect(ofType("artifact-close")).toHaveLength(2);
  });

  test("an unclosed action ends where another artifact begins on a line", () => {
    const { actions, of: ofType } = parse(
      `<boltArtifact id="a">${open}\none\n  <boltArtifact title="x > y" id="b">\n${file("two", "b.ts")}</boltArtifact>`,
    );
    expect(actions.map(({ content }) => content)).toEqual(["one\n", "two\n"]);
    expect(ofType("artifact-open").map(({ id }) => id)).toEqual(["a", "b"]);
  });

  test("an unclosed command ends the same way", () => {
    const { actions } = parse('<boltArtifact id="a"><boltAction type="shell">npm i\n</boltArtifact>\n'); // prettier-ignore
    expect(actions).toMatchObject([{ content: "npm i", complete: true, endImplied: true }]);
  });

  test.each([
    "one\n</boltArtifact>\ntwo\n",
    'one\n<boltArtifact id="x">\ntwo\n</boltArtifact>\nthree\n',
    "one\n</boltArtifact> and more\ntwo\n",
    'one\n<boltArtifact title="no id">\ntwo\n',
    "x = '</boltArtifact>'\n",
  ])("text followed by a closing tag of the action is content: %j", (content) => {
    expect(parse(wrap(`${open}\n${content}</boltAction>`)).actions).toEqual([
      expect.objectContaining({ content, complete: true }),
    ]);
  });

  test("held text beyond the limit is content", () => {
    const content = `'</boltAction>'${"x".repeat(20)}\n`;
    const { actions } = parse(wrap(file(content)), { contentCharacters: 15 });
    expect(actions).toMatchObject([{ complete: false }]);
  });
});

describe("an action in an action", () => {
  const open = '<boltAction type="file" filePath="a.ts">\n';
  const command = '<boltAction type="shell">rm</boltAction>\n';

  test("ends the first if nothing else closes it, and reports that", () => {
    const { actions } = parse(wrap(`${open}one\n${command}`));
    expect(actions).toMatchObject([
      { content: "one\n", complete: true, endImplied: true },
      { actionType: "shell", content: "rm", complete: true },
    ]);
  });

  test.each([command, `  ${command}`, `- ${command}- ${command}`, command + command])(
    "is content where the first is closed behind it: %j",
    (inside) => {
      const { actions } = parse(wrap(`${open}one\n${inside}two\n</boltAction>\n`));
      expect(actions).toMatchObject([{ content: `one\n${inside}two\n`, complete: true }]);
      expect(actions[0]).not.toHaveProperty("endImplied");
    },
  );

  test("one that does not begin a line ends nothing", () => {
    const { actions } = parse(wrap(`${open}of <boltAction type="shell"> one\n</boltAction>\n`));
    expect(actions).toMatchObject([{ content: 'of <boltAction type="shell"> one\n' }]);
  });

  test("up to fifty of them are resolved, further ones are content", () => {
    const { actions } = parse(open.replace("file", "shell").repeat(60));
    expect(actions.length).toBeLessThanOrEqual(52);
  });
});

test("an action that contains only dots is incomplete, with an error", () => {
  const { actions, errors } = parse(wrap(file("...") + '<boltAction type="shell">…</boltAction>'));
  expect(actions).toMatchObject([{ complete: false }, { complete: false }]);
  expect(errors.map(({ code }) => code)).toEqual(["placeholder", "placeholder"]);
});

test("quick actions are text for a parser without their reader", () => {
  let text = "";
  const parser = createArtifactParser({
    onEvent: (event) => void (text += event.type === "text" ? event.text : ""),
  });
  parser.write("<bolt-quick-actions></bolt-quick-actions>");
  parser.end();
  expect(text).toBe("<bolt-quick-actions></bolt-quick-actions>");
});

describe("an action that cannot be run", () => {
  test.each([
    ['<boltAction type="file">x</boltAction>', "path-missing"],
    ['<boltAction type="file" filePath="/etc/x">x</boltAction>', "path-refused"],
    ['<boltAction type="file" filePath="a" operation="rename">x</boltAction>', "unknown-operation"],
    ['<boltAction type="supabase" operation="drop">x</boltAction>', "unknown-operation"],
    ['<boltAction type="supabase" operation="migration">x</boltAction>', "path-missing"],
  ])("is not complete: %s", (text, code) => {
    const { actions, errors } = parse(wrap(text));
    expect(actions).toMatchObject([{ complete: false }]);
    expect(errors).toMatchObject([{ code, action: 0 }]);
  });

  test("a file may be deleted, or written by a named operation", () => {
    const { actions, errors } = parse(
      wrap(
        '<boltAction type="file" filePath="a.ts" operation="delete" /><boltAction type="file" filePath="b.ts" operation="update">x</boltAction>',
      ),
    );
    expect(errors).toEqual([]);
    expect(actions).toMatchObject([
      { filePath: "a.ts", operation: "delete", complete: true, content: "" },
      { filePath: "b.ts", operation: "update", complete: true, content: "x\n" },
    ]);
  });

  test("drops the slash of bolt.diy's migrations", () => {
    const { actions } = parse(
      wrap(
        '<boltAction type="supabase" operation="migration" filePath="/supabase/migrations/1.sql">x</boltAction>',
      ),
    );
    expect(actions).toMatchObject([{ filePath: "supabase/migrations/1.sql", complete: true }]);
  });
});

import { beginningOf, NEW_VALUE, parseTarget, stepWords, type Check, type PageStep } from "@treadle/protocol/checks"; // prettier-ignore

/** Time limit of waiting, in milliseconds. */
const WAIT_MS = 15_000;

/**
 * A check as a file for Playwright's own runner.
 * @param isPartial a line of it is invalid: it is written, but skipped
 */
export function specText({ name, steps }: Check, isPartial = false): string {
  const { path, size, date, rest } = beginningOf(steps);
  const persons = [...new Set(rest.flatMap(({ as }) => (as === undefined ? [] : [as])))];
  const page = (as: string | undefined) =>
    as === undefined ? "page" : `page${persons.indexOf(as) + 2}`;
  const isNew = JSON.stringify(steps).includes(NEW_VALUE);
  const hasRequest = rest.some(({ do: act }) => act === "request");
  const begun = [
    ...(isNew ? ["const fresh = freshValue();"] : []),
    ...(hasRequest ? ["let answer!: APIResponse;"] : []),
    "const seen = watch(page);",
    ...(size ? [`await page.setViewportSize(${JSON.stringify(size)});`] : []),
    ...(date ? [`await page.clock.install({ time: new Date(${textOf(localTime(date))}) });`] : []),
    `await page.goto(${textOf(path)});`,
  ];
  const opened = new Set<string>();
  const lines = rest
    .filter(({ do: act }) => act !== "date")
    .flatMap((step) => {
      const enters = step.as !== undefined && !opened.has(step.as);
      if (step.as !== undefined) opened.add(step.as);
      const own = page(step.as);
      const seen = step.as === undefined ? "seen" : `seen${persons.indexOf(step.as) + 2}`;
      return [
        ...(enters
          ? [
              `// Another person: ${oneLine(step.as!)}`,
              `const ${own} = await (await browser.newContext({ baseURL })).newPage();`,
              `const ${seen} = watch(${own});`,
              ...(date ? [`await ${own}.clock.install({ time: new Date(${textOf(localTime(date))}) });`] : []), // prettier-ignore
              `await ${own}.goto(${textOf(path)});`,
            ]
          : []),
        `// ${oneLine(stepWords(step))}`,
        ...code(step, own, seen),
      ];
    });
  const body = [...begun, ...lines].map((line) => `  ${line}\n`).join("");
  const given = persons.length > 0 ? "{ page, browser, baseURL }" : "{ page }";
  return `import { expect, test, type APIResponse } from "@playwright/test";
import { count, fileText, freshValue, hasStyle, isIn, says, the, upload, watch } from "./steps";

${isPartial ? "// A line of this check is no step: see unread.spec.ts.\n" : ""}test${isPartial ? ".fixme" : ""}(${textOf(name)}, async (${given}) => {
${body}});
`;
}

/** A file with a test for each problem of the checks, marked to be fixed. */
export function unreadText(problems: readonly string[]): string {
  const tests = problems.map(
    (problem, index) =>
      `test.fixme(${textOf(`cannot be read (${index + 1}): ${problem}`)}, async () => {});\n`,
  );
  return `import { test } from "@playwright/test";\n\n${tests.join("")}`;
}

function code(step: PageStep, page: string, seen: string): string[] {
  const { do: act, text = "", file = "", method = "GET", body } = step;
  const on = targetOf(step.on ?? text);
  const the = `(await the(${page}, ${on}))`;
  switch (act) {
    case "open":
      return [`await ${page}.goto(${textOf(text.startsWith("/") ? text : `/${text}`)});`];
    case "reload":
      return [`await ${page}.reload();`];
    case "click":
    case "check":
    case "uncheck":
    case "hover":
      return [`await ${the}.${act}();`];
    case "type":
      return [`await ${the}.fill(${textOf(text)});`];
    case "select":
      return [`await ${the}.selectOption({ label: ${textOf(text)} });`];
    case "press":
      return step.on === undefined
        ? [`await ${page}.keyboard.press(${textOf(text)});`]
        : [`await ${the}.press(${textOf(text)});`];
    case "drag":
      return [`await ${the}.dragTo(await the(${page}, ${targetOf(step.to ?? "")}));`];
    case "upload":
      return [`await upload(${page}, ${on}, ${textOf(file)}, ${textOf(text)});`];
    case "wait":
      return [`await the(${page}, ${on}, ${WAIT_MS});`];
    case "pause":
      return [`await ${page}.waitForTimeout(${Number(text) * 1_000});`];
    case "size": {
      const [width, height] = text.split("x").map(Number);
      return [`await ${page}.setViewportSize({ width: ${width}, height: ${height} });`];
    }
    case "offline":
    case "online":
      return [`await ${page}.context().setOffline(${act === "offline"});`];
    case "request": {
      const isJson = body !== undefined && /^\s*[[{]/.test(body);
      const headers = isJson ? `, headers: { "content-type": "application/json" }` : "";
      const data = body === undefined ? "" : `, data: ${textOf(body)}${headers}`;
      return [
        `answer = await ${page}.request.fetch(${textOf(text)}, { method: ${textOf(method)}${data} });`,
      ];
    }
    case "date":
      return [];
    default:
      return [expectation(step, page, seen, on)];
  }
}

function expectation(step: PageStep, page: string, seen: string, on: string): string {
  const { do: act, text, is = [], count, style, compare, file = "", body } = step;
  switch (act) {
    case "expect_address":
      return `await expect.poll(() => ${addressOf(text ?? "", page)}).toMatch(${patternOf(text ?? "")});`;
    case "expect_console":
      return `expect(${seen}.errors).toEqual([]);`;
    case "expect_status":
      return `expect(answer.status()).toBe(${Number(text)});`;
    case "expect_body":
      return body === undefined
        ? `expect(await answer.text()).toContain(${textOf(text ?? "")});`
        : `expect(await answer.json()).toMatchObject(${body});`;
    case "expect_no_body":
      return `expect(await answer.text()).not.toContain(${textOf(text ?? "")});`;
    case "expect_file": {
      const found = `await expect.poll(() => fileText(${seen}.downloads, ${textOf(file)}))`;
      return text === undefined
        ? `${found}.toBeDefined();`
        : `${found}.toContain(${textOf(text)});`;
    }
    case "expect_gone":
      return text === undefined || step.on === undefined
        ? `await expect.poll(() => count(${page}, ${on})).toBe(0);`
        : `await expect.poll(() => says(${page}, ${on}, ${textOf(text)})).toBe(false);`;
  }
  const counted = `await expect.poll(() => count(${page}, ${on}))`;
  if (count !== undefined) return `${counted}.toBe(${count});`;
  if (style !== undefined)
    return `await expect.poll(() => hasStyle(${page}, ${on}, ${textOf(style)}, ${textOf(text ?? "")}${compare ? `, ${textOf(compare)}` : ""})).toBe(true);`;
  const states = is.map((state) => `await expect.poll(() => isIn(${page}, ${on}, ${textOf(state)})).toBe(true);`); // prettier-ignore
  const content =
    text === undefined || step.on === undefined
      ? []
      : [`await expect.poll(() => says(${page}, ${on}, ${textOf(text)})).toBe(true);`];
  const all = [...states, ...content];
  return all.length === 0 ? `${counted}.toBeGreaterThan(0);` : all.join(" ");
}

/** A text as code. Placeholders for fresh values refer to the check's own. */
function textOf(text: string): string {
  const parts = text.split(NEW_VALUE).map((part) => JSON.stringify(part));
  return safe(parts.join(" + fresh + "));
}

const targetOf = (on: string): string =>
  safe(
    JSON.stringify(parseTarget(on)).replaceAll(/"(?:[^"\\]|\\.)*"/g, (part) =>
      part.includes(NEW_VALUE) ? part.split(NEW_VALUE).join('" + fresh + "') : part,
    ),
  );

/** Escapes two characters that end a line in code, but not in JSON. */
const safe = (json: string) =>
  json.replaceAll("\u2028", String.raw`\u2028`).replaceAll("\u2029", String.raw`\u2029`);

/** A step as a single-line comment. */
const oneLine = (text: string) => text.replaceAll(/[\n\r\u2028\u2029]/g, " ");

function addressOf(text: string, page: string): string {
  const parts = ["pathname"];
  if (text.includes("?")) parts.push("search");
  if (text.includes("#")) parts.push("hash");
  const url = `new URL(${page}.url())`;
  return `decodeURI(${parts.map((part) => `${url}.${part}`).join(" + ")})`;
}

const patternOf = (text: string): string =>
  `new RegExp(${textOf(`^${text.replaceAll(/[$()+.?[\\\]^{|}]/g, String.raw`\$&`).replaceAll("*", "[^/]*")}$`)})`;

const localTime = (date: Date): string => {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
};

import { Cursor } from "./cursor.ts";
import type { StepForm } from "./forms.ts";
import { ROLES } from "./roles.ts";
import { readTarget, withContent, writeTarget, type Target } from "./target.ts";
import { PAGE_STATES, STYLE_COMPARISONS, type PageState, type PageStep } from "./types.ts";

/** Words that end an element without quotes and introduce its expectation. */
const STOPS =
  "to with not is are be has have say says contain contains show shows read reads should".split(
    " ",
  );

/** Words with their own forms: unquoted text that begins with one is a mistake in that form. */
const OWN_FORMS = ["address", "body", "download", "file", "status", "url"];

const OPPOSITES: Partial<Record<PageState, PageState>> = {
  checked: "unchecked",
  unchecked: "checked",
  disabled: "enabled",
  enabled: "disabled",
  expanded: "collapsed",
  collapsed: "expanded",
};

const expected = (read: StepForm["read"]): StepForm["read"] => {
  return (cursor) => (cursor.word("expect", "see") ? read(cursor) : undefined);
};

/** All forms of expectations, special ones first. */
export const EXPECTATIONS: readonly StepForm[] = [
  {
    examples: ["expect no console error"],
    read: expected((cursor) =>
      cursor.words("no console error") || cursor.words("no console errors")
        ? { do: "expect_console" }
        : undefined,
    ),
  },
  {
    examples: ["expect address /reports", "expect address /reports/*"],
    read: expected((cursor) => {
      if (!cursor.word("address", "url")) return undefined;
      cursor.words("to be");
      const text = cursor.quoted() ?? cursor.match(/^\//)?.input;
      return text?.startsWith("/") ? { do: "expect_address", text } : undefined;
    }),
  },
  {
    examples: ["expect status 201"],
    read: expected((cursor) => {
      if (!cursor.word("status")) return undefined;
      const text = cursor.match(/^[1-5]\d\d$/)?.[0];
      return text === undefined ? undefined : { do: "expect_status", text };
    }),
  },
  {
    examples: ['expect body "saved"', 'expect body {"a":1}'],
    read: expected((cursor) => {
      if (!cursor.word("body")) return undefined;
      cursor.words("to say");
      const quoted = cursor.quoted();
      if (quoted !== undefined) return { do: "expect_body", text: quoted };
      const body = /^[[{]/.test(cursor.rest) && isJson(cursor.rest) ? cursor.takeRest() : undefined;
      return body === undefined ? undefined : { do: "expect_body", body };
    }),
  },
  {
    examples: ['expect no body "Emma"'],
    read: expected((cursor) => {
      if (!cursor.words("no body")) return undefined;
      const text = cursor.quoted();
      return text === undefined ? undefined : { do: "expect_no_body", text };
    }),
  },
  {
    examples: ['expect a file "report.csv" with "Milk"'],
    read: expected((cursor) => {
      cursor.word("a", "the");
      if (!cursor.word("file", "download")) return undefined;
      const file = cursor.quoted();
      if (file === undefined) return undefined;
      if (cursor.word("with") === undefined) return { do: "expect_file", file };
      const text = cursor.quoted();
      return text === undefined ? undefined : { do: "expect_file", file, text };
    }),
  },
  {
    examples: ['expect no "Milk"', 'expect no listitem in list "Tasks"'],
    read: expected((cursor) => {
      if (!cursor.word("no")) return undefined;
      const target = readTarget(cursor, STOPS);
      return target && ofContent(cursor, target, "expect_gone");
    }),
  },
  {
    examples: ["expect 3 listitem"],
    read: expected((cursor) => {
      const count = Number(cursor.match(/^\d{1,3}$/)?.[0] ?? Number.NaN);
      const token = cursor.peek();
      if (!(count > 0) || !token) return undefined;
      // “1 left” is a text: a counted element has a role, a selector or quotes.
      const isRole = token.kind === "word" && !token.text.startsWith("css=");
      const role = isRole ? singular(token.text.toLowerCase()) : "";
      if (role === undefined) return undefined;
      const counted = new Cursor(`${role}${isRole ? cursor.text.slice(token.end) : cursor.rest}`);
      const target = readTarget(counted);
      if (!target || !counted.isAtEnd) return undefined;
      cursor.takeRest();
      return { do: "expect", on: writeTarget(target), count };
    }),
  },
  {
    examples: [
      "expect page to have background #faf0e6",
      "expect banner to have background #1e40af",
      'expect button "Add" to have style color #fff',
      "expect css=.card to have style padding var(--gap)",
      "expect heading to have style font-size at least 20px",
    ],
    read: expected((cursor) => {
      const target = readTarget(cursor, STOPS);
      if (!target || !(cursor.words("to have") || cursor.word("has"))) return undefined;
      const style = cursor.word("style")
        ? cursor.match(/^-{0,2}[a-z][a-z-]*$/i)?.[0].toLowerCase()
        : cursor.word("background", "color");
      const compare = STYLE_COMPARISONS.find((words) => cursor.words(words));
      const text = cursor.quoted() ?? cursor.takeRest().replace(/;$/, "");
      return style === undefined || text === ""
        ? undefined
        : { do: "expect", on: writeTarget(target), style, ...(compare && { compare }), text };
    }),
  },
  {
    examples: [
      'expect switch "Dark mode" to be checked',
      'expect button "Save" to be disabled',
      'expect switch "Dark mode" [checked]',
    ],
    read: expected(readState),
  },
  {
    examples: [
      'expect heading "Tasks" to say "1 left"',
      'expect textbox "Subject" with "Hello"',
      'expect textbox "Subject": Hello',
    ],
    read: expected((cursor) => {
      const target = readTarget(cursor, STOPS);
      if (!target) return undefined;
      const step = ofContent(cursor, target, "expect");
      return step.text === undefined && step.on === writeTarget(target) ? undefined : step;
    }),
  },
  {
    examples: ['expect "Milk"', 'expect listitem "Milk" in list "Tasks"'],
    read: expected((cursor) => {
      const token = cursor.peek();
      const target = readTarget(cursor, STOPS);
      const isOwn = token?.kind === "word" && OWN_FORMS.includes(token.text.toLowerCase());
      if (!target || (isOwn && target.words !== undefined)) return undefined;
      cursor.words("to be visible");
      return ofState(target, "expect");
    }),
  },
];

/** Reads the expected text of an element, if there is one. */
function ofContent(cursor: Cursor, target: Target, act: "expect" | "expect_gone"): PageStep {
  const says = ["to say", "to contain", "to read", "to show", "says", "contains", "with"];
  if (says.some((words) => cursor.words(words))) {
    const text = cursor.quoted();
    if (text !== undefined) return { ...ofState(target, act), text };
  } else if (cursor.colon()) {
    const content = cursor.quoted() ?? cursor.takeRest();
    const { target: named, text } = withContent(target, content);
    return { ...ofState(named, act), ...(text !== undefined && { text }) };
  }
  return ofState(target, act);
}

/** Turns states after an element into expectations. */
function ofState({ states, ...target }: Target, act: "expect" | "expect_gone"): PageStep {
  if (act === "expect_gone") return { do: act, on: writeTarget({ ...target, states }) }; // prettier-ignore
  return { do: act, on: writeTarget(target), is: states };
}

function readState(cursor: Cursor): PageStep | undefined {
  const target = readTarget(cursor, STOPS);
  if (!target) return undefined;
  const isDenied = cursor.word("not") !== undefined;
  if (!cursor.words("to be") && !cursor.word("is", "are")) return undefined;
  const denied = isDenied || cursor.word("not") !== undefined;
  const word = cursor.match(/^[a-z]+$/i)?.[0].toLowerCase();
  if (word === "empty" && !denied) return { do: "expect", on: writeTarget(target), text: "" };
  if (word === "visible" || word === "hidden")
    return ofState(target, (word === "visible") === denied ? "expect_gone" : "expect");
  const named = PAGE_STATES.find((state) => state === word);
  const state = named && (denied ? OPPOSITES[named] : named);
  return state && { do: "expect", on: writeTarget(target), is: [...(target.states ?? []), state] };
}

/** The role that a word names, as one or as several. */
const singular = (word: string) =>
  [word, word.replace(/s$/, ""), word.replace(/es$/, "")].find((role) => ROLES.has(role));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

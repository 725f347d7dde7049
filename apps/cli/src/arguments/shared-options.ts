/** Options with the same meaning in several commands. */
export const DATA = {
  data: {
    kind: "text",
    value: "DIR",
    help: "the folder for all data; default ~/.treadle, or TREADLE_DATA",
  },
} as const;

export const UNSAFE = {
  "unsafe-no-sandbox": { kind: "flag", help: "let generated code run as you, unprotected" },
} as const;

export const JSON_LINES = {
  json: { kind: "flag", help: "one log event a line, the result last" },
} as const;

export const ALLOW_HOST = {
  "allow-host": {
    kind: "texts",
    value: "HOST",
    help: "a host that the app and its pages may reach from now on, kept with the folder; may be given several times",
  },
} as const;

export const inMs = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000;

import { commandShape, noWords } from "../command-shape.ts";
import { DATA, UNSAFE } from "../shared-options.ts";

export const serve = commandShape({
  name: "serve",
  summary: "start the server and open the page",
  options: {
    port: { kind: "port", value: "N", help: "default 4173, or TREADLE_PORT" },
    host: { kind: "text", value: "ADDRESS", help: "default 127.0.0.1; others need --url" },
    url: {
      kind: "text",
      value: "URL",
      help: "the https address at which people elsewhere sign in (docs/self-hosting.md)",
    },
    "preview-url": {
      kind: "text",
      value: "URL",
      help: "where their previews are, as in https://*.apps.example.org; default: below --url",
    },
    proxy: {
      kind: "texts",
      value: "ADDRESS",
      help: "a web server in front that receives https; default: this machine's (repeatable)",
    },
    ...DATA,
    open: {
      kind: "folder",
      value: "DIR",
      help: "work in this folder, in place, beside your own editor",
    },
    team: { kind: "flag", help: "people sign in with accounts (docs/accounts.md)" },
    "no-open": { kind: "flag", help: "do not open a browser" },
    ...UNSAFE,
  },
  read: (values, words) =>
    noWords("serve", words) ?? {
      port: values.port,
      host: values.host ?? "127.0.0.1",
      url: values.url,
      previewUrl: values["preview-url"],
      proxies: values.proxy ?? [],
      data: values.data,
      unsafe: values["unsafe-no-sandbox"] ?? false,
      team: values.team ?? false,
      folder: values.open,
      browser: !values["no-open"],
    },
});

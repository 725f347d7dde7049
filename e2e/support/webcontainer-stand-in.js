/**
 * A STAND-IN for `@webcontainer/api`: no container of StackBlitz's, and no Node. It has the part of that interface that Treadle
 * uses (`WebContainer.boot`, `mount`, `fs`, `spawn`, `on`, `setPreviewScript`, `teardown`), on a small runtime in the page:
 * files in a map, a shell of a few words, an `npm install` that lays names out, a static server. Tests reach it as
 * `globalThis.standIn`, which is also how they answer requests to a preview's address.
 */
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NOT_FOUND = { status: 404, type: "text/plain", body: "not found" };
const TYPES = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  json: "application/json",
};

export class WebContainer {
  static booted;

  static async boot({ coep } = {}) {
    if (!globalThis.crossOriginIsolated) throw new Error("This page is not isolated.");
    if (coep !== "credentialless") throw new Error(`coep is ${coep}`);
    if (WebContainer.booted) throw new Error("Only one container can be booted.");
    WebContainer.booted = new WebContainer();
    globalThis.standIn = WebContainer.booted;
    return WebContainer.booted;
  }

  files = new Map();
  servers = new Map();
  commands = [];
  waiting = [];
  listeners = { port: [], "server-ready": [], error: [] };
  watchers = new Set();
  script = "";
  workdir = "/home/project";

  on(event, listener) {
    this.listeners[event].push(listener);
    return () => {};
  }

  async setPreviewScript(script) {
    this.script = script;
  }

  teardown() {
    WebContainer.booted = undefined;
    for (const port of this.servers.keys()) this.close(port);
  }

  async mount(tree, folder = "") {
    for (const [name, node] of Object.entries(tree))
      if (node.directory) await this.mount(node.directory, `${folder}${name}/`);
      else await this.fs.writeFile(folder + name, node.file.contents);
  }

  fs = {
    readFile: async (path, encoding) => {
      const bytes = this.files.get(path);
      if (!bytes) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
      return encoding ? decoder.decode(bytes) : bytes;
    },
    writeFile: async (path, data) => {
      this.files.set(path, typeof data === "string" ? encoder.encode(data) : data);
      for (const watcher of this.watchers) watcher("change", path);
      // A development server ends if its configuration throws.
      if (path === "vite.config.js" && decoder.decode(this.files.get(path)).includes("throw "))
        for (const server of this.servers.values()) server.end(1, "failed to load config\n");
    },
    mkdir: async () => {},
    rm: async (path) => {
      for (const one of this.files.keys())
        if (one === path || one.startsWith(`${path}/`)) this.files.delete(one);
    },
    readdir: async (path) => {
      const under = path === "." ? "" : `${path}/`;
      const names = new Map();
      for (const one of this.files.keys()) {
        if (!one.startsWith(under)) continue;
        const [name, ...rest] = one.slice(under.length).split("/");
        names.set(name, rest.length > 0);
      }
      return [...names].map(([name, folder]) => ({
        name,
        isFile: () => !folder,
        isDirectory: () => folder,
      }));
    },
    watch: (_path, _options, listener) => {
      this.watchers.add(listener);
      return { close: () => this.watchers.delete(listener) };
    },
  };

  async spawn(command, args, options = {}) {
    if (!Array.isArray(args)) return this.spawn(command, [], args);
    let print;
    let end;
    let isOver = false;
    const output = new ReadableStream({
      start(controller) {
        print = (text) => isOver || controller.enqueue(text);
        end = (code) => {
          if (isOver) return code;
          isOver = true;
          controller.close();
          return code;
        };
      },
    });
    let kill;
    const killed = new Promise((resolve) => (kill = () => resolve(143)));
    const process = { print, killed, text: (path) => decoder.decode(this.files.get(path)) };
    const { terminal } = options;
    let typed;
    const input = new WritableStream({ write: (text) => typed?.(text) });
    const run = terminal
      ? this.typedInto(process, terminal, (listener) => (typed = listener))
      : this.run(command, args, process);
    const exit = Promise.race([run, killed]).then(end);
    const resize = (size) => void (terminal && Object.assign(terminal, size));
    return { exit, output, input, kill, resize };
  }

  async run(command, args, process) {
    if (command === "node") return this.request(args[2], process);
    if (command !== "jsh" || args[0] !== "-c") return 127;
    this.commands.push(args[1]);
    return this.shell(args[1], process);
  }

  /**
   * A shell that echoes typed text and runs it line by line; `size` returns the size of its
   * terminal.
   */
  typedInto(process, size, listen) {
    const PROMPT = "~/project ❯ ";
    process.print(PROMPT);
    return new Promise((resolve) => {
      let line = "";
      let order = Promise.resolve();
      const enter = async (command) => {
        if (command === "exit") return resolve(0);
        if (command === "size") process.print(`${size.cols} by ${size.rows}\r\n`);
        else if (command !== "") await this.shell(command, process);
        process.print(PROMPT);
      };
      listen((text) => {
        for (const key of text) {
          if (key !== "\r") {
            line += key;
            process.print(key);
            continue;
          }
          const command = line.trim();
          line = "";
          process.print("\r\n");
          order = order.then(() => enter(command));
        }
      });
    });
  }

  async shell(line, process) {
    for (const part of line.split("&&").map((one) => one.trim())) {
      const code = await this.simple(part, process);
      if (code !== 0) return code;
    }
    return 0;
  }

  async simple(line, process) {
    const [, script] = /^npm (?:run )?(dev|start|build|test)$/.exec(line) ?? [];
    if (script) {
      const { scripts = {} } = JSON.parse(process.text("package.json"));
      if (!scripts[script]) {
        process.print(`npm error Missing script: "${script}"\n`);
        return 1;
      }
      return this.shell(scripts[script], process);
    }
    if (/^npm install\b/.test(line)) return this.install(process);
    if (line === "vite") return this.serve(5173, process);
    if (line === "vite build") return this.build(process);
    const [, text, file] = /^echo (.*?)(?: > (\S+))?$/.exec(line) ?? [];
    if (file) await this.fs.writeFile(file, `${text}\n`);
    else if (text !== undefined) process.print(`${text}\n`);
    else if (line === "until-told")
      return Promise.race([
        new Promise((resolve) => this.waiting.push(() => resolve(0))),
        process.killed,
      ]);
    else if (/^exit \d+$/.test(line)) return Number(line.slice(5));
    else {
      process.print(`jsh: command not found: ${line.split(" ", 1)[0]}\n`);
      return 127;
    }
    return 0;
  }

  async install(process) {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(process.text("package.json"));
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (name.startsWith("no-such-")) {
        process.print(`npm error code E404\nnpm error 404 Not Found - ${name}\n`);
        return 1;
      }
      const manifest = JSON.stringify({ name, version: range.replace(/^[^\d]*/, "") });
      await this.fs.writeFile(`node_modules/${name}/package.json`, manifest);
    }
    await this.fs.writeFile("package-lock.json", '{"lockfileVersion":3}\n');
    process.print("added packages\n");
    return 0;
  }

  async build(process) {
    for (const [path, bytes] of this.files)
      if (path.endsWith(".js") && decoder.decode(bytes).includes("<<<")) {
        process.print(`${path}: Unexpected token "<<<"\n`);
        return 1;
      }
    await this.fs.writeFile("dist/index.html", process.text("index.html"));
    process.print("built\n");
    return 0;
  }

  serve(port, process) {
    const url = `https://stand-in--${port}.local-credentialless.webcontainer-api.io`;
    process.print(`serving on ${port}\n`);
    return new Promise((resolve) => {
      const end = (code, text) => {
        if (text) process.print(text);
        this.close(port);
        resolve(code);
      };
      this.servers.set(port, { url, end });
      process.killed.then(() => end(143));
      for (const listener of this.listeners.port) listener(port, "open", url);
      for (const listener of this.listeners["server-ready"]) listener(port, url);
    });
  }

  close(port) {
    const server = this.servers.get(port);
    if (!this.servers.delete(port)) return;
    for (const listener of this.listeners.port) listener(port, "close", server.url);
  }

  /**
   * What Node prints when it runs Treadle's script for requests from inside; that script has its
   * own test.
   */
  async request(argument, process) {
    const { port, path } = JSON.parse(atob(argument));
    const answer = this.fetch(port, path);
    const response = answer
      ? {
          status: answer.status,
          headers: [["content-type", answer.type]],
          base64: btoa(String.fromCharCode(...encoder.encode(answer.body))),
        }
      : { error: `connect ECONNREFUSED 127.0.0.1:${port}` };
    process.print(`<treadle:${btoa(JSON.stringify(response))}>\r\n`);
    return 0;
  }

  /** A static file server; `shown`: in a preview, whose pages start with the preview's script. */
  fetch(port, path, shown = false) {
    if (!this.servers.has(port)) return undefined;
    const name = path.replace(/[?#].*/, "").replace(/^\//, "") || "index.html";
    const bytes = this.files.get(name);
    if (!bytes) return NOT_FOUND;
    const type = TYPES[name.split(".").pop()] ?? "text/plain";
    const text = decoder.decode(bytes);
    const body =
      shown && type === "text/html"
        ? text.replace("<head>", `<head><script>${this.script}</script>`)
        : text;
    return { status: 200, type, body };
  }
}

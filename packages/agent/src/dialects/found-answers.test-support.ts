/** Answers with code in their prose, and how a careful reader interprets each. We wrote all of them ourselves. */
export interface FoundAnswer {
  name: string;
  /** Files before the answer, from path to text. */
  project: Record<string, string>;
  answer: string;
  /** The exact files afterwards. */
  files?: Record<string, string>;
  /** Paths that must not exist afterwards. */
  absent?: string[];
  /** The only commands that may run; absent: none. */
  commands?: string[];
  /** Whether the model is told that something was not executed. */
  isReported?: true;
}

const block = (content: string, info = "") => `\`\`\`${info}\n${content}\`\`\`\n`;

const SERVER = `import http from "node:http";
import { list } from "./list.js";

const port = process.env.PORT ?? 3000;

function answer(request, response) {
  response.end(JSON.stringify(list()));
}

function stop() {
  server.close();
}

const server = http.createServer(answer);
server.listen(port);
process.on("SIGTERM", stop);
`;
const LIST = `const items = [];

export function add(item) {
  items.push(item);
}

export function list() {
  return items;
}
`;
const PACKAGE = `{
  "name": "shop",
  "private": true,
  "type": "module",
  "scripts": {
    "dev": "node src/server.js"
  },
  "dependencies": {
    "nanoid": "5.0.0"
  }
}
`;
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <title>Shop</title>
  </head>
  <body>
    <h1>Shop</h1>
    <p>Soon.</p>
  </body>
</html>
`;
const SHOP = { "package.json": PACKAGE, "src/server.js": SERVER, "src/list.js": LIST };
const NEW_PAGE = `<!doctype html>
<html lang="de">
  <head>
    <title>Laden</title>
    <link rel="stylesheet" href="style.css" />
  </head>
  <body>
    <h1>Laden</h1>
    <ul id="list"></ul>
    <script src="main.js"></script>
  </body>
</html>
`;
const CART = `export function cart(items) {
  return items.length;
}
`;
const PYTHON = `import json


def load(path):
    with open(path) as file:
        return json.load(file)
`;

/** Must be executed, so that caution does not make small models useless. */
export const CARRIED_OUT: readonly FoundAnswer[] = [
  {
    name: "a new file after a heading",
    project: SHOP,
    answer: `## src/cart.js\n\n${block(CART, "js")}`,
    files: { "src/cart.js": CART },
  },
  {
    name: "a new file after a numbered heading with other words",
    project: SHOP,
    answer: `### 2. Die neue Datei \`src/cart.js\`\n\n${block(CART, "javascript")}\nFertig.\n`,
    files: { "src/cart.js": CART },
  },
  {
    name: "a new file after a line in bold",
    project: {},
    answer: `**index.html**\n${block(PAGE, "html")}`,
    files: { "index.html": PAGE },
  },
  {
    name: "a new file after a sentence in Chinese",
    project: SHOP,
    answer: `创建文件src/cart.js：\n\n${block(CART, "js")}`,
    files: { "src/cart.js": CART },
  },
  {
    name: "a new file after a label in Chinese",
    project: SHOP,
    answer: `文件：src/cart.js\n${block(CART)}`,
    files: { "src/cart.js": CART },
  },
  {
    name: "a new file after a sentence in Spanish",
    project: SHOP,
    answer: `Ahora crea \`src/cart.js\` con este contenido:\n\n${block(CART, "js")}`,
    files: { "src/cart.js": CART },
  },
  {
    name: "a new file whose path is in the info string",
    project: SHOP,
    answer: block(CART, "js:src/cart.js"),
    files: { "src/cart.js": CART },
  },
  {
    name: "a new file whose path is an attribute",
    project: SHOP,
    answer: block(CART, 'js title="src/cart.js"'),
    files: { "src/cart.js": CART },
  },
  {
    name: "a new file whose path is a comment in its first line",
    project: {},
    answer: block(`// src/cart.js\n${CART}`, "js"),
    files: { "src/cart.js": `// src/cart.js\n${CART}` },
  },
  {
    name: "a new file whose path is a comment with a label in another language",
    project: {},
    answer: block(`# ファイル: app/load.py\n${PYTHON}`, "python"),
    files: { "app/load.py": `# ファイル: app/load.py\n${PYTHON}` },
  },
  {
    name: "aider's whole files, one after the other",
    project: {},
    answer: `index.html\n${block(NEW_PAGE)}\nmain.js\n${block("document.title += '!';\n")}`,
    files: { "index.html": NEW_PAGE, "main.js": "document.title += '!';\n" },
  },
  {
    name: "aider's whole file in place of one that stands",
    project: SHOP,
    answer: `src/list.js\n${block(LIST.replace("items.push(item);", "items.unshift(item);"))}`,
    files: { "src/list.js": LIST.replace("items.push(item);", "items.unshift(item);") },
  },
  {
    name: "a whole rewrite of a small page",
    project: { "index.html": PAGE },
    answer: `Here is the new index.html:\n\n${block(NEW_PAGE, "html")}`,
    files: { "index.html": NEW_PAGE },
  },
  {
    name: "a whole rewrite of a small file that declares nothing",
    project: { "main.js": 'console.log("hi");\n' },
    answer: `main.js:\n${block('const h = document.querySelector("h1");\nh.textContent = "Hi";\n', "js")}`,
    files: { "main.js": 'const h = document.querySelector("h1");\nh.textContent = "Hi";\n' },
  },
  {
    name: "a whole package.json with one more script",
    project: SHOP,
    answer: `Update \`package.json\`:\n\n${block(PACKAGE.replace('"dev":', '"test": "node --test",\n    "dev":'), "json")}`,
    files: { "package.json": PACKAGE.replace('"dev":', '"test": "node --test",\n    "dev":') },
  },
  {
    name: "a whole server with one more function, after a sentence",
    project: SHOP,
    answer: `Replace the contents of \`src/server.js\`:\n\n${block(`${SERVER}\nfunction log() {}\n`, "js")}`,
    files: { "src/server.js": `${SERVER}\nfunction log() {}\n` },
  },
  {
    name: "a file in a list, indented as its item is",
    project: SHOP,
    answer: `1. \`app/load.py\`:\n\n   ${block(PYTHON, "python")
      .trimEnd()
      .replaceAll("\n", "\n   ")
      .replaceAll(/\n {3}\n/g, "\n\n")}\n`,
    files: { "app/load.py": PYTHON },
  },
  {
    name: "a README whose code has fences of its own",
    project: SHOP,
    answer: `README.md\n${block("# Shop\n\n```sh\nnpm run dev\n```\n\nThat is all.\n", "markdown")}`,
    files: { "README.md": "# Shop\n\n```sh\nnpm run dev\n```\n\nThat is all.\n" },
  },
  {
    name: "a page, its style and its script in bare fences",
    project: {},
    answer: `Here you are:\n\n${block(NEW_PAGE, "html")}\n${block("body {}\n", "css")}\n${block("let a = 1;\n", "javascript")}\nThat is all.\n`,
    files: { "index.html": NEW_PAGE, "style.css": "body {}\n", "main.js": "let a = 1;\n" },
  },
  {
    name: "a file after a number, a path in bold and a remark",
    project: SHOP,
    answer: `**1. \`src/cart.js\`** (new)\n${block(CART, "js")}`,
    files: { "src/cart.js": CART },
  },
  {
    name: "a path with the slashes of Windows",
    project: SHOP,
    answer: `src\\cart.js\n${block(CART, "js")}`,
    files: { "src/cart.js": CART },
  },
  {
    name: "a file that is set as a shell's variables are",
    project: SHOP,
    answer: `.env.example:\n${block("PORT=3000\n", "bash")}`,
    files: { ".env.example": "PORT=3000\n" },
  },
  {
    name: "a SEARCH/REPLACE block below its path",
    project: SHOP,
    answer: `src/list.js\n${block("<<<<<<< SEARCH\n  items.push(item);\n=======\n  items.unshift(item);\n>>>>>>> REPLACE\n", "js")}`,
    files: { "src/list.js": LIST.replace("push", "unshift") },
  },
  {
    name: "a SEARCH/REPLACE block with its path in the fence",
    project: SHOP,
    answer: block(
      "src/list.js\n<<<<<<< SEARCH\n  return items;\n=======\n  return [...items];\n>>>>>>> REPLACE\n",
      "js",
    ),
    files: { "src/list.js": LIST.replace("return items", "return [...items]") },
  },
  {
    name: "a unified diff of two files",
    project: SHOP,
    answer: block(
      `--- a/src/list.js\n+++ b/src/list.js\n@@ -3,3 +3,3 @@\n export function add(item) {\n-  items.push(item);\n+  items.unshift(item);\n }\n--- /dev/null\n+++ b/src/cart.js\n@@ -0,0 +1,3 @@\n${CART.replaceAll(/^(?=.)/gm, "+")}`,
      "diff",
    ),
    files: { "src/list.js": LIST.replace("push", "unshift"), "src/cart.js": CART },
  },
  {
    name: "lines of minus and plus whose other lines have no blank in front",
    project: SHOP,
    answer: `\`src/list.js\`:\n${block("export function list() {\n-  return items;\n+  return items.toReversed();\n}\n", "diff")}`,
    files: { "src/list.js": LIST.replace("return items", "return items.toReversed()") },
  },
  {
    name: "lines of minus and plus in a fence of the file's own language",
    project: SHOP,
    answer: `\`src/list.js\`:\n${block(" export function list() {\n-  return items;\n+  return items.toReversed();\n }\n", "js")}`,
    files: { "src/list.js": LIST.replace("return items", "return items.toReversed()") },
  },
  {
    name: "an install and a start that stand alone",
    project: SHOP,
    answer: `Ready.\n\n${block("npm install\n", "bash")}\n${block("npm run dev\n", "bash")}`,
    commands: ["npm install", "start: npm run dev"],
  },
  {
    name: "an install of a package that a file of the answer brings in",
    project: SHOP,
    answer: `src/cart.js\n${block(`import ms from "ms";\n${CART}`, "js")}\n${block("npm install ms@2\n", "bash")}`,
    files: { "src/cart.js": `import ms from "ms";\n${CART}` },
    commands: ["npm install ms@2"],
  },
];

/** Must not be executed, and is reported to the model. */
export const NOT_CARRIED_OUT: readonly FoundAnswer[] = [
  {
    name: "a part of package.json after a sentence in German",
    project: SHOP,
    answer: `Füge in \`package.json\` das Skript hinzu:\n\n${block('{\n  "scripts": {\n    "check": "tsc"\n  }\n}\n', "json")}`,
    files: SHOP,
    isReported: true,
  },
  {
    name: "a part below the path alone",
    project: SHOP,
    answer: `src/server.js\n${block('function stop() {\n  server.close();\n  console.log("bye");\n}\n', "js")}`,
    files: SHOP,
    isReported: true,
  },
  {
    name: "all functions without the imports that they need",
    project: SHOP,
    answer: `src/server.js\n${block(SERVER.replace(/^import.*\n/gm, ""), "js")}`,
    files: SHOP,
    isReported: true,
  },
  {
    name: "most of a file, and dots for the rest in Japanese",
    project: SHOP,
    answer: `src/server.js\n${block(SERVER.replace('process.on("SIGTERM", stop);', "// ... 残りは同じ ..."), "js")}`,
    files: SHOP,
    isReported: true,
  },
  {
    name: "lines for the end of a file of text",
    project: { ...SHOP, "notes.txt": "one\ntwo\nthree\n" },
    answer: `Append to \`notes.txt\`:\n\n${block("four\nfive\nsix\n")}`,
    files: { "notes.txt": "one\ntwo\nthree\n" },
    isReported: true,
  },
  {
    name: "a line for the settings below their path",
    project: { ...SHOP, ".env": "KEY=secret\n" },
    answer: `.env\n${block("PORT=3000\nHOST=a\n")}`,
    files: { ".env": "KEY=secret\n" },
    isReported: true,
  },
  {
    name: "a page that nothing names, where there is another one",
    project: { "index.html": PAGE },
    answer: `A page can look like this:\n\n${block(NEW_PAGE.replace("Laden", "Other"), "html")}`,
    files: { "index.html": PAGE },
    isReported: true,
  },
  {
    name: "a method that is called as a file in another language is",
    project: SHOP,
    answer: `### \`history.go\`\n\n${block("history.go(-1);\n", "js")}`,
    absent: ["history.go"],
  },
  {
    name: "a method whose name ends as a file does",
    project: SHOP,
    answer: `Reply with \`res.json\`:\n\n${block("res.json(list());\n", "js")}`,
    files: SHOP,
    absent: ["res.json"],
    isReported: true,
  },
  {
    name: "a SEARCH/REPLACE block that fits nowhere",
    project: SHOP,
    answer: `src/list.js\n${block("<<<<<<< SEARCH\n  items.pop();\n=======\n  items.shift();\n>>>>>>> REPLACE\n", "js")}`,
    files: SHOP,
    isReported: true,
  },
  {
    name: "a deletion in a patch",
    project: SHOP,
    answer: block("*** Begin Patch\n*** Delete File: src/list.js\n*** End Patch\n"),
    files: SHOP,
    isReported: true,
  },
  {
    name: "a new file with dots for code that stands elsewhere",
    project: SHOP,
    answer: `src/cart.js\n${block(`// ... código existente ...\n${CART}`, "js")}`,
    absent: ["src/cart.js"],
    isReported: true,
  },
  {
    name: "a file in a folder that is only spoken of",
    project: SHOP,
    answer: `Somewhere like \`path/to/your/cart.js\`:\n\n${block(CART, "js")}`,
    absent: ["path/to/your/cart.js"],
    isReported: true,
  },
  {
    name: "three ways to do it",
    project: SHOP,
    answer: `You can keep it:\n${block("git commit -am wip\n", "bash")}\nOr:\n${block("git stash\n", "bash")}\nOr:\n${block("git restore .\n", "bash")}`,
    files: SHOP,
    isReported: true,
  },
  {
    name: "a start by one manager or another",
    project: SHOP,
    answer: `Start it:\n${block("npm run dev\n", "sh")}\n${block("yarn dev\n", "sh")}`,
    isReported: true,
  },
  {
    name: "a package that nothing brings in",
    project: SHOP,
    answer: `For charts, there is:\n${block("npm install chart.js\n", "bash")}`,
    isReported: true,
  },
  {
    name: "a global install",
    project: SHOP,
    answer: `Get the tool:\n${block("npm install -g vercel\n", "bash")}`,
    isReported: true,
  },
  {
    name: "lines of a file that are only quoted",
    project: SHOP,
    answer: `It is this:\n${block("export function add(item) {\n  items.push(item);\n}\n", "3:5:src/list.js")}`,
    files: SHOP,
  },
];

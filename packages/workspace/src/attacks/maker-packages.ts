import type { FakePackage } from "./pretended-registry.ts";

const js = (text: string) => ({ "index.js": `module.exports = ${JSON.stringify(text)};\n` });

/** A package with this shell script as its install script, run in the package's own folder. */
const scripted = (name: string, script: string): FakePackage => ({
  name,
  version: "1.0.0",
  fields: { scripts: { postinstall: "sh attack.sh" } },
  files: { ...js(name), "attack.sh": script },
});

/** Writes each command's output to a separate file. */
const each = (commands: readonly string[]): string =>
  commands.map((command, index) => `( ${command}\n) > said-${index} 2>&1 < /dev/null\n`).join("");

/** Makes the lock file claim that a package installed under another name is that other package. */
const REWRITER = `
const fs = require("fs");
const [, , integrity, resolved] = process.argv;
for (;;)
  try {
    const lock = JSON.parse(fs.readFileSync("/home/project/package-lock.json", "utf8"));
    const entry = lock.packages["node_modules/lefty"];
    if (entry.integrity === integrity && !entry.name) continue;
    lock.packages["node_modules/lefty"] = { version: "1.0.0", resolved, integrity };
    lock.packages[""].dependencies = { lefty: "1.0.0" };
    fs.writeFileSync("/home/project/package-lock.json.new", JSON.stringify(lock));
    fs.renameSync("/home/project/package-lock.json.new", "/home/project/package-lock.json");
  } catch {}
`;
const START = `
const { execSync, spawn } = require("child_process");
const { integrity, tarball } = JSON.parse(execSync("npm view lefty@1.0.0 dist --json"));
spawn(process.execPath, [__dirname + "/rewriter.js", integrity, tarball], { detached: true, stdio: "ignore" }).unref();
`;

/** A package that, once installed under another package's name, makes the lock file claim that it is that package. */
export const evilPackage: FakePackage = {
  ...scripted("evil", "node start.js"),
  files: {
    ...js("evil"),
    "attack.sh": "node start.js",
    "start.js": START,
    "rewriter.js": REWRITER,
  },
};

/**
 * The packages of the fake registry.
 * @param options.looked commands run by the package `explorer`
 */
export const makerPackages = (options: {
  looked: readonly string[];
  otherDirectory: string;
}): FakePackage[] => [
  scripted("explorer", each(options.looked)),
  scripted(
    "linker",
    `cd /home/project && mv node_modules away && ln -s ${options.otherDirectory} node_modules`,
  ),
  scripted(
    "digger",
    `node -e 'const f=require("fs");for(let i=0;i<400;i++){f.mkdirSync("d".repeat(200));process.chdir("d".repeat(200))}'`,
  ),
  scripted("meddler", `echo 'module.exports = "evil"' > ../lefty/index.js`),
  { name: "lefty", version: "1.0.0", files: js("honest") },
  { name: "nested", version: "1.0.0", files: js("nested") },
  evilPackage,
];

/** Bundles the guest and what lies beside it into `dist/guest`, the one folder that is bound into every sandbox. */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "dist/guest");
const require = createRequire(import.meta.url);

// Of several that found it old at once, the first has built it by the time the others get the lock.
const olderThan = process.argv.indexOf("--if-older-than");
const there = statSync(join(target, "guest.mjs"), { throwIfNoEntry: false });
if (olderThan !== -1 && there && there.mtimeMs >= Number(process.argv[olderThan + 1]))
  process.exit(0);

mkdirSync(join(here, "dist"), { recursive: true });
const out = mkdtempSync(join(here, "dist/.guest-"));
chmodSync(out, 0o755);

/** `treadle-db` is another package's, which no module of this one knows: it is bundled with what lies in a sandbox. */
const APP_DATABASE = "../app-database/src/inside/main";

for (const [entry, file, way = "import"] of [
  // Read by programs before their own code (`--require`), which knows no other form.
  ["src/guest/take-dials", "take-dials.cjs"],
  ["src/guest/count-code", "count-code.cjs"],
  ["src/guest/note-end", "note-end.cjs"],
  ["src/guest/main", "guest.mjs"],
  ["src/guest/manager-front", "manager-front.mjs"],
  ["src/guest/static-server", "static-server.mjs"],
  ["src/guest/over-stdio", "over-stdio.mjs"],
  ["src/guest/over-exec", "over-exec.mjs"],
  ["src/guest/language-server", "language-server.mjs"],
  // The client of PostgreSQL asks for its parts by `require`, and takes none that are made to be imported.
  [APP_DATABASE, "app-database.mjs", "require"],
]) {
  const bundle = await rolldown({
    input: join(here, `${entry}.ts`),
    platform: "node",
    external: ["@lydell/node-pty"],
    resolve: {
      conditionNames: ["treadle-source", "node", way, "default"],
      // The language services' `main` asks for its parts in a way that no bundler follows.
      mainFields: ["module", "main"],
    },
  });
  await bundle.write({
    file: join(out, file),
    format: file.endsWith(".cjs") ? "cjs" : "esm",
    minify: false,
  });
  await bundle.close();
}

// The pty is native: its package and the one that holds the binary travel as they are.
const pty = dirname(require.resolve("@lydell/node-pty/package.json"));
const native = `node-pty-${process.platform}-${process.arch}`;
for (const [name, from] of [
  ["node-pty", pty],
  [native, join(dirname(pty), native)],
])
  cpSync(from, join(out, "node_modules/@lydell", name), { recursive: true, dereference: true });

// TypeScript's own language server is native as well; it lies beside the types of the language itself.
const typescript = createRequire(require.resolve("typescript/package.json"));
const compiler = `@typescript/typescript-${process.platform}-${process.arch}`;
cpSync(
  dirname(typescript.resolve(`${compiler}/package.json`)),
  join(out, "node_modules", compiler),
  {
    recursive: true,
    dereference: true,
  },
);

// These have TypeScript as a program of JavaScript with them, 57 MB each: they come where a project has such files. Vue's asks
// for a parser from a git address, which is on npm as well; from its version 3 on it needs an editor's own TypeScript beside it.
const typescriptProgram = { typescript: "5.9.3" };
const comeLater = {
  svelte: { dependencies: { "svelte-language-server": "0.18.4", ...typescriptProgram } },
  vue: {
    dependencies: { "@vue/language-server": "2.2.12", ...typescriptProgram },
    overrides: { "@emmetio/css-parser": "0.4.0" },
  },
};
for (const [name, manifest] of Object.entries(comeLater)) {
  mkdirSync(join(out, "language-servers", name), { recursive: true });
  writeFileSync(
    join(out, "language-servers", name, "package.json"),
    JSON.stringify({ private: true, ...manifest }),
  );
}

// Node prepares for the proxy before anything else, which takes it twice as long to start (45 ms). These programs ask
// nobody outside; the managers' front gives what it starts the variable's value back.
const ownNode = 'NODE_USE_ENV_PROXY= exec "$TREADLE_NODE"';
const programs = {
  ...Object.fromEntries(
    ["npm", "pnpm", "yarn", "bun"].map((name) => [
      name,
      `TREADLE_USE_ENV_PROXY="$NODE_USE_ENV_PROXY" ${ownNode} "$TREADLE_GUEST/manager-front.mjs" ${name} "$@"`,
    ]),
  ),
  pnpx: 'exec pnpm dlx "$@"',
  bunx: 'exec bun x "$@"',
  corepack:
    'echo "corepack: pnpm, yarn and bun are here without it; packageManager in package.json names the version"',
  npx: 'exec "$TREADLE_NODE" "$TREADLE_NPM/bin/npx-cli.js" "$@"',
  // Each is held to the memory that a project of the usual size needs, twice.
  "treadle-language-server": `case "$1" in
  typescript) for tsc in "$TREADLE_GUEST"/node_modules/@typescript/typescript-*/lib/tsc; do
    GOMEMLIMIT=768MiB exec "$tsc" --lsp --stdio
  done;;
  svelte | vue)
    where="$HOME/.cache/treadle-language-server-$1"
    if [ "$2" = --install ]; then
      if [ ! -d "$where" ]; then
        rm -rf "$where.new" && mkdir -p "$where.new" || exit 1
        cp "$TREADLE_GUEST/language-servers/$1/package.json" "$where.new" || exit 1
        "$TREADLE_NODE" "$TREADLE_NPM/bin/npm-cli.js" install --prefix "$where.new" --no-audit --no-fund --ignore-scripts || exit 1
        mv "$where.new" "$where" || exit 1
      fi
      echo "$where"; exit 0
    fi
    for server in "$where"/node_modules/svelte-language-server/bin/server.js "$where"/node_modules/@vue/language-server/bin/*.js; do
      [ ! -e "$server" ] || exec "$TREADLE_NODE" --max-old-space-size=768 "$server" --stdio
    done;;
  web) ${ownNode} --max-old-space-size=256 "$TREADLE_GUEST/language-server.mjs" --stdio;;
esac
echo "There is no language server $1." >&2; exit 127`,
  "treadle-db": `${ownNode} --disable-warning=ExperimentalWarning "$TREADLE_GUEST/app-database.mjs" "$@"`,
  "treadle-serve": `${ownNode} "$TREADLE_GUEST/static-server.mjs" "$@"`,
};
mkdirSync(join(out, "bin"));
// A mounted node_modules can be emptied but not removed, which is equivalent for a program that removes it before
// installing.
programs.rm = `case "$*" in *node_modules*) ;; *) exec /usr/bin/rm "$@";; esac
said=$(LC_ALL=C /usr/bin/rm "$@" 2>&1 < /dev/null); code=$?
rest=$(printf '%s\\n' "$said" | grep -v "rm: cannot remove '.*node_modules/*': Device or resource busy$")
[ "$code" != 0 ] && [ -z "$rest" ] && exit 0
[ -n "$rest" ] && printf '%s\\n' "$rest" >&2
exit "$code"`;
for (const [name, line] of Object.entries(programs)) {
  writeFileSync(join(out, "bin", name), `#!/bin/sh\n${line}\n`);
  chmodSync(join(out, "bin", name), 0o755);
}

mkdirSync(join(out, "etc"));
writeFileSync(
  join(out, "etc/passwd"),
  "root:x:0:0::/:/bin/false\nsandbox:x:1000:1000::/home/user:/bin/bash\n",
);
writeFileSync(join(out, "etc/group"), "root:x:0:\nsandbox:x:1000:\n");
// The person's own folder and its repositories stay theirs in the sandbox, where git would refuse them.
writeFileSync(join(out, "etc/gitconfig"), "[safe]\n\tdirectory = *\n");
writeFileSync(join(out, "etc/hosts"), "127.0.0.1 localhost sandbox\n::1 localhost\n");

/** Replaces the content file by file: the folder itself is mounted into running sandboxes and must keep its inode. */
function moveInto(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, place] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) moveInto(source, place);
    else renameSync(source, place);
  }
}
moveInto(out, target);
rmSync(out, { recursive: true, force: true });

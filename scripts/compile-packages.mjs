/** Compiles our packages to what Node runs, each module by itself. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transformSync } from "rolldown/utils";
import { root } from "./prepare.mjs";

/**
 * Writes `dist/**\/*.js` of every package and of the command. Types are erased and not looked at, which takes a tenth of the
 * compiler's time: `tsconfig.base.json` holds the sources to what can be erased (`erasableSyntaxOnly`, `isolatedModules`), and
 * `npm run check` and `npm run build` have the compiler look at all of them.
 * @throws an error that names the file, where one is no TypeScript
 */
export function compilePackages() {
  const files = globSync(["packages/*/src/**/*.ts", "apps/cli/src/**/*.ts"], { cwd: root });
  for (const file of files) {
    if (/\.test(-support)?\.ts$|\.d\.ts$/.test(file)) continue;
    const { code, errors } = transformSync(file, readFileSync(join(root, file), "utf8"), {
      lang: "ts",
      target: "es2024",
      tsconfig: false,
      typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: "rewrite" },
    });
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
    const target = join(root, file.replace("/src/", "/dist/").replace(/\.ts$/, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
}

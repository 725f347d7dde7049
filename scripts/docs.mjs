/** `npm run docs [dev]`: the documentation as a site. What makes it comes through npm when it is wanted, and is no part of Treadle. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const [task = "build"] = process.argv.slice(2);
const words = ["--yes", "vitepress@1.6.4", task, join(root, "docs")];
process.exit(spawnSync("npx", words, { cwd: root, stdio: "inherit" }).status ?? 1);

import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { page } from "./src/page.js";

mkdirSync("dist", { recursive: true });
writeFileSync("dist/index.html", page());
copyFileSync("style.css", "dist/style.css");
